import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { engagementErrors } from '@storefront/contracts';
import { networkOf } from '@storefront/http';
import { collectionOf, date, defineCollection, integer, isDuplicate } from '@storefront/mongo';
import type { Resources } from '@storefront/service';

export const codeGuesses = defineCollection(
  'code_guesses',
  {
    /** Codes that did not exist. */
    unknown: integer(),
    /** Those, and all codes that are being looked up. */
    counted: integer(),
    expiresAt: date(),
  },
  { indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** Who tries codes. */
export interface Guesser {
  readonly userId: string | null;
  readonly ip: string | null;
}

/** How many codes that do not exist each user and each network may try in 15 minutes. */
export interface CodeGuesses {
  /**
   * Looks up codes by `find`, which returns those that exist. They are counted before they are looked up, so that of many
   * requests at once no more learn anything than there may be. Throws `too_many_unknown_codes` where the budget is used up,
   * whether the codes exist or not. Codes that are looked up when an instance is killed stay counted until the 15 minutes end.
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

const windowMs = 15 * 60 * 1000;
const longestWaitMs = 5000;
// A count that is lost with a primary lets somebody try a few codes more, so it need not wait for others to have it.
const writeConcern = { w: 1 } as const;
const readConcern = { readConcern: { level: 'local' } } as const;

/** Users and networks are stored as hashes keyed by `secret`. */
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

  /** Counts codes that are about to be looked up. Waits up to 5 s while others that are looked up leave too little. */
  async function begin({ _id, limit, endsAt }: Budget, codes: number): Promise<void> {
    const deadline = performance.now() + longestWaitMs;
    for (let round = 1; ; round += 1) {
      // Read first: where many wait, few of them write.
      const { unknown, counted } = (await collection.findOne({ _id }, readConcern)) ?? { unknown: 0, counted: 0 };
      if (counted + codes <= limit && (await count({ _id, limit, endsAt }, codes))) return;
      if (unknown + codes > limit) throw tooMany(Math.ceil((endsAt - now().getTime()) / 1000));
      if (performance.now() > deadline) throw tooMany(1);
      await wait(5 + Math.random() * Math.min(10 * round, 100));
    }
  }

  /** Returns false where the budget leaves too little. */
  async function count({ _id, limit, endsAt }: Budget, codes: number): Promise<boolean> {
    // Kept for longer than it counts, since the clock of the database may be ahead.
    const update = { $inc: { counted: codes, unknown: 0 }, $setOnInsert: { expiresAt: new Date(endsAt + windowMs) } };
    try {
      await collection.updateOne({ _id, counted: { $lte: limit - codes } }, update, { upsert: true, writeConcern });
      return true;
    } catch (error) {
      // It is there, and not matched.
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  async function end({ _id }: Pick<Budget, '_id'>, codes: number, unknown: number): Promise<void> {
    await collection.updateOne({ _id }, { $inc: { counted: unknown - codes, unknown } }, { writeConcern });
  }

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
        await Promise.all(begun.map((budget) => end(budget, codes.length, unknown)));
      }
    },
  };
}

function tooMany(seconds: number) {
  return engagementErrors.tooManyUnknownCodes().with({ retryAfterSeconds: seconds });
}
