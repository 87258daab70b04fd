import { hash, randomUUID } from 'node:crypto';
import { fact, gatewayEvents, toEvent, type Event } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import { Counter, type Registry } from '@storefront/process';
import type { Logger } from 'pino';
import { createRequestCounts, type Taken } from '../domain/request-counts.ts';

const { requestsCounted } = gatewayEvents;

/** The window of every budget. */
export const windowMs = 60_000;
// Each remembered caller takes up to 500 bytes.
const remembered = 50_000;
const publishEveryMs = 100;
const mostInOneEvent = 1000;
// At most this many callers wait to be published. Further callers are counted by this gateway alone.
const mostWaiting = 10_000;
// Counts are published after every twentieth of a budget, so that the many callers far below their limit cost no
// messages.
const sharedParts = 20;

/** Counts requests together with all other gateways. */
export interface SharedCounts {
  /** Counts one request of the caller against this budget if fewer than `max` were counted. */
  take(budget: string, caller: string, max: number): Taken;
  close(): void;
}

/**
 * Each gateway counts in its own memory and publishes its counts, and the others add them. Requests do not wait for
 * this: the counts of other gateways arrive about a tenth of a second later. While the broker is unreachable each
 * gateway counts alone. Callers are published as hashes with `secret`, which all gateways have.
 */
export async function createSharedCounts(parts: {
  bus: Bus;
  secret: string;
  metrics: Registry;
  logger: Logger;
}): Promise<SharedCounts> {
  const { bus, secret, logger } = parts;
  const self = randomUUID();
  const counts = createRequestCounts({ windowMs, remembered });
  const waiting = new Map<string, number>();
  const elsewhere = new Counter({
    name: 'gateway_requests_counted_elsewhere_total',
    help: 'Requests that other gateways have counted against the budgets that all share',
    registers: [parts.metrics],
  });
  let timer: NodeJS.Timeout | undefined;
  let isPublishing = false;

  await bus.broadcast({ name: 'gateway.requests-counted', types: [requestsCounted.type], handle: addCounts });

  function addCounts(event: Event): void {
    if (event.subject === self) return;
    const { success, data } = requestsCounted.data.safeParse(event.data);
    if (!success) {
      logger.error({ eventId: event.id }, 'the counts of another gateway could not be read');
      return;
    }
    const now = performance.now();
    for (const [caller, count] of data.counts) {
      counts.add(caller, count, now);
      elsewhere.inc(count);
    }
  }

  function share(caller: string, count: number): void {
    const before = waiting.get(caller);
    if (before === undefined && waiting.size >= mostWaiting) return;
    waiting.set(caller, (before ?? 0) + count);
    timer ??= setTimeout(publish, publishEveryMs).unref();
  }

  function publish(): void {
    timer = undefined;
    // Counts from a time without the broker would be too old when it is back.
    if (!bus.health().canPublish) waiting.clear();
    if (waiting.size === 0) return;
    if (!isPublishing) {
      isPublishing = true;
      const next = [...waiting.entries().take(mostInOneEvent)];
      for (const [caller] of next) waiting.delete(caller);
      const event = toEvent(fact(requestsCounted, self, { counts: next }), { sequence: 0, time: new Date() });
      bus
        .publish([event], { transient: true })
        .catch((error: unknown) => logger.debug({ err: error }, 'counts were not published'))
        .finally(() => (isPublishing = false));
    }
    if (waiting.size > 0) timer = setTimeout(publish, publishEveryMs).unref();
  }

  return {
    take(budget, caller, max) {
      const key = hash('sha256', `${secret} ${budget} ${caller}`, 'base64url').slice(0, 22);
      const shareEvery = Math.max(1, Math.floor(max / sharedParts));
      const taken = counts.take(key, { max, shareEvery }, performance.now());
      if (taken.toShare > 0) share(key, taken.toShare);
      return taken;
    },
    close: () => clearTimeout(timer),
  };
}
