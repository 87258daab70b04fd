import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { collectionOf, openCollections } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { date, integer } from './fields.ts';
import { readUpToDate } from './up-to-date.ts';
import { afterRead, deadInstances, nothingWatched } from './watched-beats.ts';

export const instances = defineCollection(
  'instances',
  {
    /** Raised by the instance at each beat. */
    beat: integer(),
    /** By the database's clock; for people only. */
    beatAt: date(),
  },
  { sharding: { unsharded: 'one document for each instance that runs' } },
);

/**
 * The lease of one instance of a service: an instance that takes something stores `holder` with it. No clocks of two
 * machines are compared. An instance whose beat stays the same for the lease time, by the monotonic clock of another
 * instance, loses its document, and with it everything that it holds.
 */
export interface Lease {
  /** The id under which this instance takes things now. It changes after the lease was lost. */
  readonly holder: string;
  /**
   * Whether no other instance can have taken what `holder` took. To be called right before an effect outside the
   * database, which no condition of a write can fence.
   */
  isHeld(holder: string): boolean;
  /**
   * Whether that holder has lost all it held, for ever; known up to a few seconds late. Throws an error for which
   * `isDatabaseAway` is true where it can't be found out within 5 s.
   */
  hasEnded(holder: string): Promise<boolean>;
  /** The database's time. It is off by less than the time of a command, also where this machine's clock is wrong. */
  readonly now: () => Date;
  /** Gives up everything that is held, for others to take at once. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** How long a beat may stay the same; 15 s by default. */
  readonly leaseMs?: number;
  /** The time between two beats, and between two reads of the other instances' beats; 3 s by default. */
  readonly beatMs?: number;
  /** Replaces the database's time in `now`. Leases go by the monotonic clock all the same. */
  readonly now?: (() => Date) | undefined;
}

const closeWithinMs = 2000;
const readWithinMs = 5000;

/** Opens the lease of this instance, in the service's own database. Throws where the database is away. */
export async function openLease({
  database,
  logger,
  leaseMs = 15_000,
  beatMs = 3000,
  now,
}: LeaseOptions): Promise<Lease> {
  // An instance that can't beat stops before the others may take over: clocks run at slightly different speeds.
  const heldMs = leaseMs * 0.8;
  await openCollections(database, [instances]);
  const collection = collectionOf(database, instances);
  const closing = new AbortController();
  let holder = '';
  /** When the last successful beat began, which is before the database has stored it. */
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
      // An instance that has beaten meanwhile keeps its document.
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
      // A server that was primary before may not know an instance that has begun meanwhile.
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
