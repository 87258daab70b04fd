import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { collectionOf, openCollections } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { readUpToDate } from './up-to-date.ts';
import { afterRead, deadInstances, nothingWatched } from './watched-beats.ts';

export const instances = defineCollection(
  'instances',
  {
    /** Increased by the instance at each beat. */
    beat: z.int(),
    /** The time of the last beat by the database's clock; only for people to read. */
    beatAt: z.date(),
  },
  { sharding: { unsharded: 'one document for each instance that runs' } },
);

/**
 * The lease of one instance of a service. An instance that takes something stores `holder` with it. Other instances
 * watch its beats with their own monotonic clocks, so clocks of two machines are never compared. If the beat does not
 * change for the lease time, the instance loses its document, and with it everything that it holds.
 */
export interface Lease {
  /** The id that this instance now stores with everything that it takes. The id changes after the lease was lost. */
  readonly holder: string;
  /**
   * Whether `holder` still holds everything that it took. Call this right before an effect outside the database,
   * because conditions of database writes can't prevent such an effect.
   */
  isHeld(holder: string): boolean;
  /**
   * Whether the holder has permanently lost everything that it held. The result may be a few seconds late. Throws an
   * error for which `isDatabaseAway` is true if the database does not answer within 5 s.
   */
  hasEnded(holder: string): Promise<boolean>;
  /**
   * Returns the database's time. It is wrong by less than the duration of a command, even if this machine's clock is
   * wrong.
   */
  readonly now: () => Date;
  /** Gives up everything that this instance holds, so that others can take it at once. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** After how many milliseconds without a new beat the lease is lost; 15,000 by default. */
  readonly leaseMs?: number;
  /** Milliseconds between two beats, and between two reads of other instances' beats; 3,000 by default. */
  readonly beatMs?: number;
  /** Replaces the database's time in `now`. Leases still use the monotonic clock. */
  readonly now?: (() => Date) | undefined;
}

const closeWithinMs = 2000;
const readWithinMs = 5000;

/** Opens the lease of this instance in the service's own database. Throws if the database is unreachable. */
export async function openLease({
  database,
  logger,
  leaseMs = 15_000,
  beatMs = 3000,
  now,
}: LeaseOptions): Promise<Lease> {
  // An instance that can't beat stops before others may take over, because clocks run at slightly different speeds.
  const heldMs = leaseMs * 0.8;
  await openCollections(database, [instances]);
  const collection = collectionOf(database, instances);
  const closing = new AbortController();
  let holder = '';
  /** When the last successful beat began. The database stored the beat after that. */
  let beatBegan = -Infinity;
  let clock = { time: 0, readAt: 0 };
  let watched = nothingWatched;

  async function begin(): Promise<void> {
    const id = randomUUID();
    const began = performance.now();
    const begun = await collection.findOneAndUpdate({ _id: id }, [{ $set: { beat: 1, beatAt: '$$NOW' } }], {
      upsert: true,
      returnDocument: 'after',
    });
    if (begun === null) throw new Error(`the instance ${id} was not stored`);
    holder = id;
    learn(began, begun.beatAt);
  }

  async function beat(): Promise<void> {
    const began = performance.now();
    const beaten = await collection.findOneAndUpdate(
      { _id: holder },
      [{ $set: { beat: { $add: ['$beat', 1] }, beatAt: '$$NOW' } }],
      { returnDocument: 'after' },
    );
    if (beaten) {
      learn(began, beaten.beatAt);
      return;
    }
    beatBegan = -Infinity;
    logger.warn({ instance: holder }, 'the lease was lost: this instance did not beat in time; it begins a new one');
    await begin();
  }

  function learn(began: number, beatAt: Date): void {
    beatBegan = began;
    clock = { time: beatAt.getTime(), readAt: performance.now() };
  }

  async function watch(): Promise<void> {
    const read = await collection
      .find({ _id: { $gt: '' } }, { projection: { beat: 1 }, readConcern: 'majority' })
      .toArray();
    const beats = read.map(({ _id: id, beat }) => ({ id, beat }));
    watched = afterRead(watched, beats, performance.now(), leaseMs);
    for (const dead of deadInstances(watched, leaseMs)) {
      // If the instance has beaten meanwhile, the filter does not match and its document stays.
      const { deletedCount } = await collection.deleteOne({ _id: dead.id, beat: dead.beat });
      if (deletedCount > 0) logger.warn({ instance: dead.id }, 'an instance has ended; what it held is free');
    }
  }

  async function repeat(work: () => Promise<void>): Promise<void> {
    for (;;) {
      await wait(beatMs, undefined, { ref: false, signal: closing.signal });
      await work().catch((error: unknown) => logger.warn({ err: error }, 'the lease could not be renewed or watched'));
    }
  }

  await begin();
  const repeated = [beat, watch].map((work) => repeat(work).catch(() => undefined));

  return {
    get holder() {
      return holder;
    },
    isHeld: (id) => id === holder && !closing.signal.aborted && performance.now() - beatBegan < heldMs,
    async hasEnded(id) {
      if (id === holder || watched.seen.has(id)) return false;
      // The read must be up to date: a former primary may not know an instance that began meanwhile.
      const found = await readUpToDate(readWithinMs, (upToDate) =>
        collection.findOne({ _id: id }, { projection: { _id: 1 }, ...upToDate }),
      );
      return found === null;
    },
    now: now ?? (() => new Date(clock.time + performance.now() - clock.readAt)),
    async close() {
      closing.abort();
      const ended = Promise.all(repeated)
        .then(() => collection.deleteOne({ _id: holder }))
        .catch((error: unknown) => logger.warn({ err: error }, 'the lease ends by itself: the database is away'));
      await Promise.race([ended, wait(closeWithinMs, undefined, { ref: false })]);
    },
  };
}
