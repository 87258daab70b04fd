import type { Bus } from '../bus.ts';
import { MessagingError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { checkSubscription, eventsExchange } from '../topology.ts';
import { consumeBroadcast } from './broadcast.ts';
import { consume } from './consumer.ts';
import type { Shared } from './shared.ts';

const closeMs = 10_000;

/** Connects one service to the broker of this process. */
export function connectInProcess(shared: Shared, settings: Settings): Bus {
  const { broker, delayQueue, deadLetterStore } = shared;
  const consumers: { queue: string; close(ms: number): Promise<void> }[] = [];
  const broadcasts: { close(): void }[] = [];
  let closing: Promise<void> | undefined;

  function throwIfClosed(): void {
    if (closing) throw new MessagingError('messaging_closed', 'The bus is closed.');
  }

  async function close(): Promise<void> {
    for (const broadcast of broadcasts) broadcast.close();
    await Promise.all(consumers.map((consumer) => consumer.close(closeMs)));
  }

  return {
    async publish(events) {
      if (closing) return events.map(({ id }) => ({ id, confirmed: false, reason: 'the bus is closed' }));
      const started = performance.now();
      // Sent as text, as over a network, so that publisher and consumers share no object.
      for (const event of events) broker.publish(eventsExchange, event.type, JSON.stringify(event), { headers: {} });
      settings.onPublish?.({ count: events.length, confirmed: events.length, ms: performance.now() - started });
      return events.map(({ id }) => ({ id, confirmed: true }));
    },
    async subscribe(subscription) {
      throwIfClosed();
      checkSubscription(settings.topology, subscription);
      consumers.push(consume(shared, subscription, settings));
    },
    async broadcast(broadcast) {
      throwIfClosed();
      broadcasts.push(consumeBroadcast(broker, broadcast, settings.logger));
    },
    health: () => ({
      kind: 'in-process',
      connected: !closing,
      canPublish: !closing,
      queues: consumers.map(({ queue }) => ({ queue, consuming: !closing })),
      ...(closing ? { reason: 'the bus is closed' } : {}),
    }),
    async backlog() {
      const queues = consumers.map(({ queue }) => {
        const stats = broker.getQueue(queue)?.getStats();
        return { queue, ready: stats ? stats.messageCount - stats.unackedCount : 0 };
      });
      return { queues, delayed: delayQueue.count() };
    },
    deadLetters: deadLetterStore.deadLetters,
    close: () => (closing ??= close()),
  };
}
