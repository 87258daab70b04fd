import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { engagementErrors } from '@storefront/contracts';
import { networkOf } from '@storefront/http';
import { batch, collectionOf, byId, defineCollection, isDuplicate } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { z } from 'zod';

export const codeGuesses = defineCollection(
  'code_guesses',
  {
    /** How many tried codes did not exist. */
    unknown: z.int(),
    /** How many tried codes did not exist or are being looked up now. */
    counted: z.int(),
    expiresAt: z.date(),
  },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** The user and the address from which codes are tried. */
interface Guesser {
  readonly userId: string | null;
  readonly ip: string | null;
}

/** Limits how many codes that do not exist each user and each network may try in 15 minutes. */
export interface CodeGuesses {
  /**
   * Looks up codes with `find`, which returns the existing ones. Codes are counted before they are looked up, so that
   * many requests at once can't exceed the limit together. Throws `too_many_unknown_codes` where the limit is reached,
   * whether the codes exist or not. Where an instance is killed during a look-up, its codes stay counted until the 15
   * minutes end.
   */
  lookUp<Found extends ReadonlyMap<string, unknown>>(
    guesser: Guesser,
    codes: readonly string[],
    find: () => Promise<Found>,
  ): Promise<Found>;
}

export interface CodeGuessLimits {
  readonly perUser: number;
  readonly perAddress: number;
}

interface Budget {
  readonly _id: string;
  readonly limit: number;
  readonly endsAt: number;
}

interface Counting {
  readonly budget: Budget;
  readonly codes: number;
}

type Outcome = 'counted' | 'used-up' | 'full';

const windowMs = 15 * 60 * 1000;
const longestWaitMs = 5000;
// A count may be lost when the database's primary fails. Then somebody can try a few more codes, so a write need not
// wait for replicas.
const writeConcern = { w: 1 } as const;
const readConcern = { readConcern: { level: 'local' } } as const;

/** Opens the counts. Users and networks are stored only as hashes that are keyed with `secret`. */
export function openCodeGuesses(
  { database, now }: Pick<Resources, 'database' | 'now'>,
  secret: string,
  { perUser, perAddress }: CodeGuessLimits,
): CodeGuesses {
  const collection = collectionOf(database, codeGuesses);

  function budgetsOf({ userId, ip }: Guesser): Budget[] {
    const at = now().getTime();
    const endsAt = at - (at % windowMs) + windowMs;
    const budget = (name: string, limit: number): Budget => ({
      _id: createHmac('sha256', secret).update(`guess\0${name}\0${endsAt}`).digest('base64url'),
      limit,
      endsAt,
    });
    const network = budget(`network\0${ip === null ? '' : networkOf(ip)}`, perAddress);
    return userId === null ? [network] : [budget(`user\0${userId}`, perUser), network];
  }

  /**
   * Counts codes that are about to be looked up. Waits up to 5 s while other codes that are being looked up leave too
   * little of the limit.
   */
  async function begin(budget: Budget, codes: number): Promise<void> {
    const deadline = performance.now() + longestWaitMs;
    for (let round = 1; ; round += 1) {
      const outcome = await count({ budget, codes });
      if (outcome === 'counted') return;
      if (outcome === 'used-up') throw tooMany(Math.ceil((budget.endsAt - now().getTime()) / 1000));
      if (performance.now() > deadline) throw tooMany(1);
      await wait(5 + Math.random() * Math.min(10 * round, 100));
    }
  }

  const count = batch<Counting, Outcome>({
    concurrency: 1,
    async work(items) {
      const byBudget = [...Map.groupBy(items, ({ budget }) => budget._id).values()];
      const outcomes = new Map((await Promise.all(byBudget.map(countOf))).flat());
      return items.map((item) => outcomes.get(item) ?? 'full');
    },
  });

  /** Counts together what is looked up of one budget, most often without reading it. */
  async function countOf(items: readonly Counting[]): Promise<[Counting, Outcome][]> {
    const [first] = items;
    if (!first) return [];
    const all = items.reduce((sum, { codes }) => sum + codes, 0);
    const { _id, limit } = first.budget;
    if (all <= limit && (await add(first.budget, all))) return items.map((item) => [item, 'counted']);
    const { unknown, counted } = (await collection.findOne({ _id }, readConcern)) ?? { unknown: 0, counted: 0 };
    let sum = 0;
    const outcomes = items.map((item): [Counting, Outcome] => {
      if (unknown + item.codes > limit) return [item, 'used-up'];
      if (counted + sum + item.codes > limit) return [item, 'full'];
      sum += item.codes;
      return [item, 'counted'];
    });
    if (sum === 0 || (await add(first.budget, sum))) return outcomes;
    return outcomes.map(([item, outcome]) => [item, outcome === 'counted' ? 'full' : outcome]);
  }

  /** Adds codes to a count. Returns false where the limit leaves too little by now. */
  async function add(budget: Budget, codes: number): Promise<boolean> {
    const { _id, limit, endsAt } = budget;
    // The count is kept longer than it is used, since the clock of the database may be ahead.
    const update = { $inc: { counted: codes, unknown: 0 }, $setOnInsert: { expiresAt: new Date(endsAt + windowMs) } };
    try {
      await collection.updateOne({ _id, counted: { $lte: limit - codes } }, update, { upsert: true, writeConcern });
      return true;
    } catch (error) {
      // The document exists, but its count is too high for the filter, so the upsert failed.
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  const end = batch<Counting & { readonly unknown: number }, null>({
    concurrency: 2,
    async work(items) {
      const sums = new Map<string, { counted: number; unknown: number }>();
      for (const { budget, codes, unknown } of items) {
        const sum = sums.get(budget._id) ?? { counted: 0, unknown: 0 };
        sums.set(budget._id, { counted: sum.counted + unknown - codes, unknown: sum.unknown + unknown });
      }
      const writes = [...sums].map(([_id, sum]) => ({ updateOne: { filter: { _id }, update: { $inc: sum } } }));
      await collection.bulkWrite(writes, { ordered: false, writeConcern });
      return items.map(() => null);
    },
  });

  return {
    async lookUp(guesser, codes, find) {
      if (codes.length === 0) return find();
      const begun: Budget[] = [];
      let unknown = 0;
      try {
        for (const budget of budgetsOf(guesser)) {
          await begin(budget, codes.length);
          begun.push(budget);
        }
        const found = await find();
        unknown = codes.filter((code) => !found.has(code)).length;
        return found;
      } finally {
        await Promise.all(begun.map((budget) => end({ budget, codes: codes.length, unknown })));
      }
    },
  };
}

function tooMany(seconds: number) {
  return engagementErrors.tooManyUnknownCodes().with({ retryAfterSeconds: seconds });
}
