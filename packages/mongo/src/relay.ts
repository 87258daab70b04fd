import type { Event } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import { createDestination, type Destination } from './destination.ts';
import {
  findPendingSources,
  measurePending,
  readPendingTypes,
  type PendingSize,
  type Source,
} from './pending-events.ts';
import { createPuller } from './pull-published.ts';
import { finishedTombstone } from './stored.ts';

/** How many events wait in the outboxes of a service, and for how long. */
export interface OutboxStatus extends PendingSize {
  /**
   * For how many seconds this process has seen the oldest unpublished event. The clocks of two machines are never
   * compared, so the time before this process started does not count.
   */
  readonly oldestAgeSeconds: number;
}

export interface Relay {
  /** Adds this collection to the sweeps. Call this before `start`. */
  watch(source: Source): void;
  /** Publishes events that were just stored with a change, if it has any, without waiting for the next sweep. */
  publish(source: Source, id: string, events: readonly Event[]): void;
  /** Call this if the collection may have a tombstone without unpublished events: the next sweep removes it. */
  leftTombstone(source: Source): void;
  /** Begins to sweep: each second, or every 3 s while the outboxes are empty. */
  start(): void;
  status(): Promise<OutboxStatus>;
  /** Publishes every event that was passed to `publish`, then stops. Unpublished events stay in the outboxes. */
  close(): Promise<void>;
}

/** The functions of the relay that the writes of a collection call. */
export type RelayOfWrites = Pick<Relay, 'watch' | 'publish' | 'leftTombstone'>;

/**
 * The same, which also notes each document that a repository with this relay has written. A repository publishes the events of a
 * change once it is stored, so the note is never too early.
 */
export function notingWrites(relay: RelayOfWrites, note: (collection: string, id: string) => void): RelayOfWrites {
  return {
    watch: (source) => relay.watch(source),
    leftTombstone: (source) => relay.leftTombstone(source),
    publish(source, id, events) {
      note(source.collectionName, id);
      relay.publish(source, id, events);
    },
  };
}

/** For a process that only writes: the sweep of a running service publishes its events. */
export const noRelay: RelayOfWrites = { watch() {}, publish() {}, leftTombstone() {} };

/**
 * While nothing waits, only each third turn is a sweep. So the events of an instance that ended are found after 3 s at
 * most, and published a turn later.
 */
const restingTurns = 3;
/** A larger outbox is logged as a warning, because its document comes near MongoDB's size limit. */
const largeOutboxBytes = 1_000_000;
const warnEveryMs = 60_000;
/**
 * The relay looks for unreported tombstones this often. They are left when an instance ends right after removing the
 * last events.
 */
const removeAllEveryMs = 60_000;

/**
 * Publishes the events in the documents' outboxes, and removes events that the broker has confirmed. Every instance of
 * a service runs a relay. An event may be published twice, which does no harm, because every consumer is idempotent.
 * Each type of event is published independently, so a type that can't be published does not delay the others.
 */
export function createRelay(options: { bus: Bus; logger: Logger; sweepMs?: number; monotonic?: () => number }): Relay {
  const { bus, logger } = options;
  const sweepMs = options.sweepMs ?? 1000;
  const monotonic = options.monotonic ?? (() => performance.now());
  const sources: Source[] = [];
  const destinations = new Map<string, Destination>();
  // A failure loses nothing: the next sweep finds the events that were not removed.
  const puller = createPuller({
    onPulled: lookForTombstones,
    onFailure: (error) => logger.warn({ err: error }, 'published events stay in the outbox for now'),
  });
  /** Collections with a tombstone that may have published its last event. */
  const mayHaveTombstones = new Map<string, Source>();
  let sweeping: Promise<void> | null = null;
  let foundNothing = false;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  let warnNotBefore = -Infinity;
  let removeAllNotBefore = -Infinity;
  let closed = false;

  function destinationOf(type: string): Destination {
    const known = destinations.get(type);
    if (known) return known;
    const created = createDestination({ type, bus, puller, logger, sweepMs, monotonic });
    destinations.set(type, created);
    return created;
  }

  async function sweep(): Promise<void> {
    foundNothing = false;
    await warnOfLargeOutboxes();
    const found = new Map(rememberedTypes().map((type): [string, Source[]] => [type, []]));
    for (const source of await findPendingSources(sources))
      for (const type of await readPendingTypes(source)) found.set(type, [...(found.get(type) ?? []), source]);
    foundNothing = found.size === 0;
    for (const [type, ofType] of found) if (!closed) destinationOf(type).sweep(ofType);
    await removeTombstones();
  }

  function rememberedTypes(): string[] {
    return [...destinations].filter(([, destination]) => destination.remembers()).map(([type]) => type);
  }

  /** Whether the last sweep found nothing, and nothing that needs a sweep has happened since. */
  function isQuiet(): boolean {
    return foundNothing && mayHaveTombstones.size === 0 && rememberedTypes().length === 0;
  }

  async function removeTombstones(): Promise<void> {
    if (monotonic() >= removeAllNotBefore) {
      removeAllNotBefore = monotonic() + removeAllEveryMs;
      sources.forEach(lookForTombstones);
    }
    const looked = Array.from(mayHaveTombstones.values());
    for (const source of looked) {
      // Removed from the map before the command: if events are removed from outboxes during it, the next sweep looks
      // again.
      mayHaveTombstones.delete(source.namespace);
      try {
        await source.deleteMany(finishedTombstone);
      } catch (error) {
        lookForTombstones(source);
        throw error;
      }
    }
  }

  function lookForTombstones(source: Source): void {
    mayHaveTombstones.set(source.namespace, source);
  }

  async function warnOfLargeOutboxes(): Promise<void> {
    if (monotonic() < warnNotBefore) return;
    warnNotBefore = monotonic() + warnEveryMs;
    const { largestBytes } = await measurePending(sources);
    if (largestBytes > largeOutboxBytes)
      logger.warn({ largestBytes }, 'an outbox is large: its events are not published');
  }

  return {
    watch(source) {
      // Several repositories may share a collection.
      if (!sources.some(({ namespace }) => namespace === source.namespace)) sources.push(source);
    },
    publish(source, documentId, events) {
      for (const [type, ofType] of Map.groupBy(events, (event) => event.type))
        destinationOf(type).publish(ofType.map((event) => ({ source, documentId, event })));
    },
    leftTombstone: lookForTombstones,
    start() {
      timer = setInterval(() => {
        turn += 1;
        if (turn % restingTurns !== 0 && isQuiet()) return;
        sweeping ??= sweep()
          .catch((error: unknown) =>
            logger.warn({ err: error }, 'sweeping the outboxes failed; the next sweep tries again'),
          )
          .finally(() => (sweeping = null));
      }, sweepMs);
    },
    async status() {
      const size = await measurePending(sources);
      const now = monotonic();
      const ages = [...destinations.values()].map((destination) => now - (destination.pendingSince() ?? now));
      return { ...size, oldestAgeSeconds: Math.round(Math.max(0, ...ages) / 100) / 10 };
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await sweeping;
      await Promise.all([...destinations.values()].map((destination) => destination.close()));
      await puller.idle();
    },
  };
}
