import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors } from '@storefront/contracts';
import type { Logger } from 'pino';
import { z } from 'zod';
import { defineBudgets, openBudgets } from './budgets.ts';
import { collectionOf, openCollections } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection, type DocumentOf } from './define-collection.ts';
import { byId } from './sharding.ts';
import { isDatabaseAway, isDuplicate } from './errors.ts';
import type { Lease } from './leases.ts';
import { whileItMayWrite } from './write-fence.ts';

export const idempotencyKeys = defineCollection(
  'idempotency_keys',
  {
    /** A hash of the request's body. */
    fingerprint: z.string(),
    /** The instance and the attempt that hold the key, as `instance/attempt`; empty once the key is released. */
    holder: z.string(),
    /** The sealed answer. Answers hold personal data, which must not stay readable after an erasure. */
    answer: z.string().nullable(),
    /** The same UUID for all attempts, so that all of them create an object with the same id. */
    seed: z.string(),
    expiresAt: z.date(),
  },
  { sharding: byId, indexes: { expiresAt_1: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** The number of keys that each owner has used on a day. */
export const idempotencyKeyCounts = defineBudgets('idempotency_key_counts');

type KeyDocument = DocumentOf<typeof idempotencyKeys>;

/** The stored data of a key. `mine` says whether this call holds the key now. */
type IdempotencyKey = Pick<KeyDocument, 'fingerprint' | 'answer' | 'holder' | 'seed'> & {
  readonly mine: boolean;
};

/** Stores the `Idempotency-Key`s of requests. */
export interface IdempotencyKeys {
  /**
   * Takes the key if it is new, if it was released, or if the instance that held it has ended. Otherwise returns the
   * stored data. A new key counts for its owner, who may use 10,000 keys a day (UTC). Above that it throws
   * `too_many_idempotency_keys` and stores nothing. Without an owner there is no limit.
   */
  claim(id: string, fingerprint: string, owner: string | null): Promise<IdempotencyKey>;
  /**
   * Runs the work of the attempt that holds the key. If the instance loses its lease meanwhile, for example after a
   * long pause, another attempt may hold the key. Then changes in repositories fail with `WriteFencedError`.
   */
  whileHeld<Result>(holder: string, work: () => Result | Promise<Result>): Promise<Result>;
  /** Stores the answer, if `holder` still holds the key. */
  keep(id: string, holder: string, sealedAnswer: string): Promise<void>;
  /**
   * Releases the key for the next attempt, if there is no answer yet. Returns at once and never throws. It keeps trying
   * until the database has stored the release, or the keys are closed. If `holder` does not hold the key, it tries once
   * more half a minute later.
   */
  release(id: string, holder: string): void;
  /** Stops unfinished releases. */
  close(): void;
}

export interface IdempotencyKeysNeeds {
  readonly database: Database;
  readonly lease: Pick<Lease, 'holder' | 'isHeld' | 'hasEnded'>;
  readonly logger: Logger;
  /** How many new keys an owner may use on a day; 10,000 by default. */
  readonly keysADay?: number;
  /** After how many milliseconds an unsuccessful release tries once more; 30,000 by default. */
  readonly lookAgainMs?: number;
}

interface Release {
  readonly id: string;
  readonly holder: string;
  /** Whether an earlier try found no such key. */
  readonly isSecondLook: boolean;
}

const keptMs = 24 * 60 * 60 * 1000;
const releaseAgainMs = 500;
const releasesAtOnce = 20;

const dayMs = 24 * 60 * 60 * 1000;

const instanceOf = (holder: string): string => holder.split('/')[0] ?? '';

/** Opens the service's keys in its own database. Each key is stored for 24 h. */
export async function openIdempotencyKeys({
  database,
  lease,
  logger,
  keysADay = 10_000,
  lookAgainMs = 30_000,
}: IdempotencyKeysNeeds): Promise<IdempotencyKeys> {
  await openCollections(database, [idempotencyKeys, idempotencyKeyCounts]);
  const keys = collectionOf(database, idempotencyKeys);
  const counts = openBudgets(database, idempotencyKeyCounts, { windowMs: dayMs });
  const closing = new AbortController();
  const releases = new Set<Release>();
  let releasing: Promise<void> | null = null;

  async function claim(id: string, fingerprint: string, owner: string | null): Promise<IdempotencyKey> {
    const now = Date.now();
    const holder = `${lease.holder}/${randomUUID()}`;
    const fresh = { fingerprint, holder, answer: null, seed: randomUUID(), expiresAt: new Date(now + keptMs) };
    try {
      return (
        (await insert(id, fresh, owner)) ?? (await takeOver(id, fingerprint, holder)) ?? claim(id, fingerprint, owner)
      );
    } catch (error) {
      // A write without an answer may have been stored, so the key is released.
      if (isDatabaseAway(error)) addRelease({ id, holder, isSecondLook: false });
      throw error;
    }
  }

  /** Stores a new key. Returns null if the key already exists. */
  async function insert(
    id: string,
    fresh: Omit<KeyDocument, '_id'>,
    owner: string | null,
  ): Promise<IdempotencyKey | null> {
    try {
      await keys.insertOne({ _id: id, ...fresh });
    } catch (error) {
      if (isDuplicate(error)) return null;
      throw error;
    }
    const used = owner === null ? null : await counts.spend(owner, new Date());
    if (used === null || used.count <= keysADay) return { ...fresh, mine: true };
    await keys.deleteOne({ _id: id, holder: fresh.holder });
    throw commonErrors.tooManyIdempotencyKeys().with({ retryAfterSeconds: used.secondsLeft });
  }

  /** Takes the key if it is free, otherwise returns its data. Returns null if the key has expired meanwhile. */
  async function takeOver(id: string, fingerprint: string, holder: string): Promise<IdempotencyKey | null> {
    const existing = await keys.findOne({ _id: id });
    if (existing === null) return null;
    if (existing.answer !== null || existing.fingerprint !== fingerprint || !(await isFree(existing)))
      return { ...existing, mine: false };
    const takenOver = await keys.findOneAndUpdate(
      { _id: id, answer: null, holder: existing.holder },
      { $set: { holder } },
      { returnDocument: 'after' },
    );
    return takenOver ? { ...takenOver, mine: true } : { ...existing, mine: false };
  }

  async function isFree({ holder }: KeyDocument): Promise<boolean> {
    return holder === '' || lease.hasEnded(instanceOf(holder));
  }

  function addRelease(release: Release): void {
    // If the instance ends before the release, its lease ends too, and the key is free.
    if (closing.signal.aborted) return;
    releases.add(release);
    releasing ??= releaseAll()
      .catch(() => undefined)
      .finally(() => (releasing = null));
  }

  async function releaseAll(): Promise<void> {
    let isInTrouble = false;
    while (releases.size > 0) {
      const results = await Promise.allSettled([...releases].slice(0, releasesAtOnce).map(releaseKey));
      const failure = results.find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') {
        // Logs one line for each outage, however long it lasts and however many keys it affects.
        if (!isInTrouble)
          logger.warn({ err: failure.reason }, 'idempotency keys were not released; they are tried again');
        await wait(releaseAgainMs, undefined, { ref: false, signal: closing.signal });
      }
      isInTrouble = failure !== undefined;
    }
  }

  async function releaseKey(release: Release): Promise<void> {
    const { id, holder, isSecondLook } = release;
    const { matchedCount } = await keys.updateOne({ _id: id, holder, answer: null }, { $set: { holder: '' } });
    releases.delete(release);
    // A write whose answer was lost may reach the database only after this release, and take the key again.
    if (matchedCount === 0 && !isSecondLook)
      setTimeout(() => addRelease({ id, holder, isSecondLook: true }), lookAgainMs).unref();
  }

  return {
    claim,
    whileHeld: (holder, work) => whileItMayWrite(() => lease.isHeld(instanceOf(holder)), work),
    async keep(id, holder, sealedAnswer) {
      await keys.updateOne({ _id: id, holder }, { $set: { answer: sealedAnswer } });
    },
    release: (id, holder) => addRelease({ id, holder, isSecondLook: false }),
    close: () => closing.abort(),
  };
}
