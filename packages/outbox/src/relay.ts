import { setTimeout as wait } from 'node:timers/promises';
import type { Event } from '@storefront/contracts';
import type { Bus, Published } from '@storefront/messaging';
import type mongoose from 'mongoose';
import type { Logger } from 'pino';
import { orGiveUp } from './give-up.ts';
import type { Stored } from './stored.ts';

type Source = mongoose.mongo.Collection<Stored>;

interface Nudge {
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
  /** Also sweeps this collection. Called once for each, before `start`. */
  watch(source: Source): void;
  /** Publishes what was just written, without waiting for the next sweep. */
  nudge(source: Source, id: string, events: readonly Event[]): void;
  /** Makes the indexes it needs and begins to sweep. */
  start(): Promise<void>;
  status(): Promise<OutboxStatus>;
  /** When the oldest event of that type was recorded that is not published yet, or null. */
  oldestPending(type: string): Promise<Date | null>;
  /** Publishes what was nudged so far, then stops. What is left stays in the outboxes. */
  close(): Promise<void>;
}

const pendingIndex = 'outbox_pending';
const pending = { 'outbox.0': { $exists: true } } as const;
const batchEvents = 500;
const pullAfterMs = 25;
// Younger events are under way already, here or at the instance that recorded them.
const sweepOlderThanMs = 1000;

/**
 * Publishes what the documents' outboxes hold and pulls what the broker has confirmed. Every instance of a service runs
 * one; two that publish the same event do no harm, for every consumer is idempotent.
 */
export function createRelay(options: { bus: Bus; logger: Logger; sweepMs?: number; now?: () => Date }): Relay {
  const { bus, logger } = options;
  const now = options.now ?? (() => new Date());
  const sources: Source[] = [];
  let queue: Nudge[] = [];
  let confirmed: Nudge[] = [];
  let publishing: Promise<void> | null = null;
  let pulling: Promise<void> | null = null;
  let sweeping: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function publishQueue(): void {
    publishing ??= (async () => {
      while (queue.length > 0) {
        confirmed.push(...(await publish(takeBatch(queue))));
        pullConfirmed();
      }
    })()
      .catch((error: unknown) => {
        queue = [];
        stoppedShort(error);
      })
      .finally(() => {
        publishing = null;
        if (queue.length > 0) publishQueue();
      });
  }

  function pullConfirmed(): void {
    pulling ??= (async () => {
      while (confirmed.length > 0) {
        // Nobody waits for it, and together with what is confirmed in a moment it is one command.
        await wait(pullAfterMs);
        await pull(confirmed.splice(0));
      }
    })()
      .catch(stoppedShort)
      .finally(() => {
        pulling = null;
        if (confirmed.length > 0) pullConfirmed();
      });
  }

  // Nothing is lost: what was not pulled is swept.
  function stoppedShort(error: unknown): void {
    logger.warn({ err: error }, 'relaying stopped short; the next sweep goes on');
  }

  /** Answers what was confirmed. */
  async function publish(batch: readonly Nudge[]): Promise<Nudge[]> {
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

  async function pull(published: readonly Nudge[]): Promise<void> {
    for (const [source, entries] of Map.groupBy(published, (entry) => entry.source))
      await orGiveUp(
        source.bulkWrite(
          entries.map(({ id, events }) => ({
            updateOne: {
              filter: { _id: id },
              update: { $pull: { outbox: { id: { $in: events.map((event) => event.id) } } } },
            },
          })),
          // An event that is pulled a second time, or published again because its pull was lost, does no harm.
          { ordered: false, writeConcern: { w: 1 } },
        ),
      );
  }

  async function sweep(): Promise<void> {
    if (!bus.health().connected) return;
    for (const source of sources) {
      for (;;) {
        const olderThan = new Date(now().getTime() - sweepOlderThanMs).toISOString();
        const documents = await orGiveUp(
          source
            .find({ ...pending, 'outbox.time': { $lt: olderThan } }, { hint: pendingIndex, projection: { outbox: 1 } })
            .limit(batchEvents)
            .toArray(),
        );
        if (documents.length === 0) break;
        const published = await publish(
          documents.map((document) => ({ source, id: document._id, events: document.outbox })),
        );
        await pull(published);
        if (published.length === 0 || documents.length < batchEvents || closed) break;
      }
      // Tombstones whose events are all out have done their work.
      await orGiveUp(source.deleteMany({ deletedAt: { $exists: true }, outbox: { $size: 0 } }));
    }
  }

  return {
    watch(source) {
      if (!sources.includes(source)) sources.push(source);
    },
    nudge(source, id, events) {
      queue.push({ source, id, events });
      publishQueue();
    },
    async start() {
      await Promise.all(
        sources.flatMap((source) => [
          source.createIndex({ 'outbox.time': 1 }, { name: pendingIndex, partialFilterExpression: pending }),
          source.createIndex(
            { deletedAt: 1 },
            { name: 'tombstones', partialFilterExpression: { deletedAt: { $exists: true } } },
          ),
        ]),
      );
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

function takeBatch(queue: Nudge[]): Nudge[] {
  let entries = 0;
  for (let events = 0; entries < queue.length && events < batchEvents; entries += 1)
    events += queue[entries]?.events.length ?? 0;
  return queue.splice(0, entries);
}
