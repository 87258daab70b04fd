import { setTimeout as wait } from 'node:timers/promises';
import type { Event } from '@storefront/contracts';
import type { Bus, Published } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { Collection } from './collections.ts';
import { pendingIndex } from './define-collection.ts';
import { finishedTombstone } from './stored.ts';
import type { Stored } from './stored.ts';

type Source = Collection<Stored>;

/** Events of one document that are to be published, or were. */
interface Entry {
  readonly source: Source;
  readonly id: string;
  readonly events: readonly Event[];
}

/** How far behind the outboxes of a service are. */
export interface OutboxStatus {
  /** Documents with events that are not published yet. */
  readonly depth: number;
  readonly oldestAgeSeconds: number;
}

export interface Relay {
  /** Also sweeps this collection. To be called before `start`. */
  watch(source: Source): void;
  /** Publishes events that were just stored, without waiting for the next sweep. */
  publish(source: Source, id: string, events: readonly Event[]): void;
  /** Begins to sweep. */
  start(): void;
  status(): Promise<OutboxStatus>;
  /** When the oldest unpublished event of that type was recorded, or null. */
  oldestPending(type: string): Promise<Date | null>;
  /** Publishes what was handed to `publish` so far, then stops. What is left stays in the outboxes. */
  close(): Promise<void>;
}

/** For a process that only writes: a running service publishes the events by its sweep. */
export const noRelay: Pick<Relay, 'watch' | 'publish'> = { watch() {}, publish() {} };

const pending = { 'outbox.0': { $exists: true } } as const;
const batchEvents = 500;
const pullAfterMs = 25;
// Younger events are being published already, by this instance or the one that stored them.
const sweepOlderThanMs = 1000;

/**
 * Publishes the events in the documents' outboxes, and pulls those that the broker has confirmed. Every instance of a
 * service runs one. An event may be published twice, which does no harm: every consumer is idempotent.
 */
export function createRelay(options: { bus: Bus; logger: Logger; sweepMs?: number; now?: () => Date }): Relay {
  const { bus, logger } = options;
  const now = options.now ?? (() => new Date());
  const sources: Source[] = [];
  let queue: Entry[] = [];
  let confirmed: Entry[] = [];
  let publishing: Promise<void> | null = null;
  let pulling: Promise<void> | null = null;
  let sweeping: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function publishQueue(): void {
    publishing ??= (async () => {
      while (queue.length > 0) {
        confirmed.push(...(await send(takeBatch(queue))));
        pullConfirmed();
      }
    })()
      .catch((error: unknown) => {
        queue = [];
        logFailure(error);
      })
      .finally(() => {
        publishing = null;
        if (queue.length > 0) publishQueue();
      });
  }

  function pullConfirmed(): void {
    pulling ??= (async () => {
      while (confirmed.length > 0) {
        // No caller waits for it, and the events that are confirmed in this time go into the same command.
        await wait(pullAfterMs);
        await pull(confirmed.splice(0));
      }
    })()
      .catch(logFailure)
      .finally(() => {
        pulling = null;
        if (confirmed.length > 0) pullConfirmed();
      });
  }

  // Nothing is lost: what was not pulled is swept.
  function logFailure(error: unknown): void {
    logger.warn({ err: error }, 'relaying stopped early; the next sweep continues');
  }

  /** Returns what the broker has confirmed. */
  async function send(batch: readonly Entry[]): Promise<Entry[]> {
    const results = await bus.publish(batch.flatMap((entry) => entry.events));
    const confirmed = new Set(results.filter((result) => result.confirmed).map((result) => result.id));
    const failed = results.find((result): result is Extract<Published, { confirmed: false }> => !result.confirmed);
    if (failed)
      logger.warn(
        { failed: results.length - confirmed.size, reason: failed.reason },
        'events not published; they stay in the outbox',
      );
    return batch
      .map((entry) => ({ ...entry, events: entry.events.filter(({ id }) => confirmed.has(id)) }))
      .filter(({ events }) => events.length > 0);
  }

  async function pull(published: readonly Entry[]): Promise<void> {
    for (const [source, entries] of Map.groupBy(published, (entry) => entry.source))
      await source.bulkWrite(
        entries.map(({ id, events }) => ({
          updateOne: {
            filter: { _id: id },
            update: { $pull: { outbox: { id: { $in: events.map((event) => event.id) } } } },
          },
        })),
        // An event that is pulled a second time, or published again because its pull was lost, does no harm.
        { ordered: false, writeConcern: { w: 1 } },
      );
  }

  async function sweep(): Promise<void> {
    if (!bus.health().connected) return;
    for (const source of sources) {
      for (;;) {
        const olderThan = new Date(now().getTime() - sweepOlderThanMs).toISOString();
        const documents = await source
          .find({ ...pending, 'outbox.time': { $lt: olderThan } }, { hint: pendingIndex, projection: { outbox: 1 } })
          .limit(batchEvents)
          .toArray();
        if (documents.length === 0) break;
        const published = await send(
          documents.map((document) => ({ source, id: document._id, events: document.outbox })),
        );
        await pull(published);
        if (published.length === 0 || documents.length < batchEvents || closed) break;
      }
      await source.deleteMany(finishedTombstone);
    }
  }

  return {
    watch(source) {
      // Several repositories may share a collection.
      if (!sources.some(({ namespace }) => namespace === source.namespace)) sources.push(source);
    },
    publish(source, id, events) {
      queue.push({ source, id, events });
      publishQueue();
    },
    start() {
      timer = setInterval(() => {
        sweeping ??= sweep()
          .catch((error: unknown) =>
            logger.warn({ err: error }, 'sweeping the outboxes failed; the next sweep tries again'),
          )
          .finally(() => (sweeping = null));
      }, options.sweepMs ?? 1000);
    },
    async status() {
      const found = await Promise.all(
        sources.map((source) =>
          source
            .aggregate<{ depth: number; oldest: string }>(
              [
                { $match: pending },
                { $limit: 10_000 },
                { $group: { _id: null, depth: { $sum: 1 }, oldest: { $min: { $min: '$outbox.time' } } } },
              ],
              { hint: pendingIndex },
            )
            .next(),
        ),
      );
      const depth = found.reduce((sum, entry) => sum + (entry?.depth ?? 0), 0);
      const oldest = found
        .map((entry) => entry?.oldest)
        .filter((time) => time !== undefined)
        .sort()[0];
      const age = oldest === undefined ? 0 : (now().getTime() - Date.parse(oldest)) / 1000;
      return { depth, oldestAgeSeconds: Math.max(0, Math.round(age * 10) / 10) };
    },
    async oldestPending(type) {
      const found = await Promise.all(
        sources.map((source) =>
          source
            .aggregate<{ time: string }>(
              [
                { $match: { ...pending, 'outbox.type': type } },
                { $unwind: '$outbox' },
                { $match: { 'outbox.type': type } },
                { $group: { _id: null, time: { $min: '$outbox.time' } } },
              ],
              { hint: pendingIndex },
            )
            .next(),
        ),
      );
      const oldest = found
        .map((entry) => entry?.time)
        .filter((time) => time !== undefined)
        .sort()[0];
      return oldest === undefined ? null : new Date(oldest);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await sweeping;
      do await publishing;
      while (queue.length > 0);
      do await pulling;
      while (confirmed.length > 0);
    },
  };
}

function takeBatch(queue: Entry[]): Entry[] {
  let entries = 0;
  for (let events = 0; entries < queue.length && events < batchEvents; entries += 1)
    events += queue[entries]?.events.length ?? 0;
  return queue.splice(0, entries);
}
