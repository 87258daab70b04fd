import { setTimeout as wait } from 'node:timers/promises';
import { topology, type Event } from '@storefront/contracts';
import { countQueues, deployTopology, emptyQueues, type Bus } from '@storefront/messaging';
import { ConfigError } from '@storefront/process';
import { onBus } from '../on-bus.ts';
import type { BrokerToFill } from './restore-backup.ts';
import type { EventsInBroker } from './take-backup.ts';

const mostDeadLetters = 1_000_000;
const confirmedWithinMs = 60_000;
const tryAgainMs = 500;

/** Gives a backup read access to the broker. `say` receives a warning about queues that have events but no consumer. */
export function brokerToRead(url: string, say: (line: string) => void): EventsInBroker {
  return {
    async readDeadLetters() {
      const waiting = (await countQueues({ url, topology })).filter(
        ({ messages, consumers, queue }) =>
          messages > 0 && consumers === 0 && topology.some((each) => each.queue === queue),
      );
      for (const { queue, messages } of waiting)
        say(
          `Warning: ${messages} events wait in ${queue}, which nobody handles now. Only the latest are in the backup.`,
        );
      const found = await onBus(url, (bus) => bus.deadLetters.list({ limit: mostDeadLetters }));
      const events = found.flatMap(({ event }) => ('id' in event ? [event] : []));
      if (events.length < found.length)
        say(`Warning: ${found.length - events.length} dead letters can not be read, and are not in the backup.`);
      return [...new Map(events.map((event) => [event.id, event])).values()];
    },
  };
}

/** Gives a restore write access to the broker. */
export function brokerToFill(url: string, managementUrl: string | undefined): BrokerToFill {
  return {
    async prepare() {
      const steps = await deployTopology({ url, managementUrl, topology });
      const failed = steps.filter(({ was }) => was === 'failed').map(({ what, detail }) => `${what}: ${detail}`);
      if (failed.length > 0) throw new ConfigError(`RabbitMQ refuses what the services need.\n${failed.join('\n')}`);
    },
    async count() {
      const queues = await countQueues({ url, topology });
      return {
        messages: queues.reduce((sum, each) => sum + each.messages, 0),
        consumers: queues.reduce((sum, each) => sum + each.consumers, 0),
      };
    },
    empty: () => emptyQueues({ url, topology }),
    publish: (events) => onBus(url, (bus) => publishAll(bus, events)),
  };
}

async function publishAll(bus: Bus, events: readonly Event[]): Promise<void> {
  const deadline = performance.now() + confirmedWithinMs;
  let left = events;
  for (;;) {
    const results = await bus.publish(left);
    left = left.filter((_, index) => !results[index]?.confirmed);
    if (left.length === 0) return;
    const reason = results.find((each) => !each.confirmed);
    if (performance.now() > deadline)
      throw new ConfigError(
        `RabbitMQ does not take ${left.length} events: ${reason && 'reason' in reason ? reason.reason : ''}`,
      );
    await wait(tryAgainMs);
  }
}
