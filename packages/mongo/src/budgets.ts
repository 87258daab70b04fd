import { z } from 'zod';
import { collectionOf } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { byId } from './sharding.ts';

/** Defines a collection of budgets: the amount spent of each budget in one time window. */
export function defineBudgets(name: string) {
  return defineCollection(
    name,
    { count: z.int(), expiresAt: z.date() },
    { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
  );
}

export interface BudgetOptions {
  /**
   * The length of a window. Windows begin at multiples of this length since 1970, so windows of a day begin at 00:00
   * UTC.
   */
  readonly windowMs: number;
  /** Makes the stored id from the budget's name and window. Use a keyed hash where names must not be stored. */
  readonly idOf?: (name: string) => string;
}

interface Spent {
  /** The amount spent in the window, including this call. */
  readonly count: number;
  /** Seconds until the next window begins, rounded up. */
  readonly secondsLeft: number;
}

/** Counts how often something happened in a time window. Each window begins with nothing spent. */
export interface Budgets {
  /**
   * Adds 1 to the amount spent of a budget, in the window that contains `at`. Exact for any number of concurrent calls:
   * each call gets a different count. It never refuses: the caller must compare the count with the limit.
   */
  spend(name: string, at: Date): Promise<Spent>;
}

export function openBudgets(
  database: Database,
  definition: ReturnType<typeof defineBudgets>,
  { windowMs, idOf = (name) => name }: BudgetOptions,
): Budgets {
  const collection = collectionOf(database, definition);
  return {
    async spend(name, at) {
      const window = Math.floor(at.getTime() / windowMs);
      const endsAt = (window + 1) * windowMs;
      // Kept one window longer than needed, because the clock of the database may be ahead.
      const expiresAt = new Date(endsAt + windowMs);
      const spent = await collection.findOneAndUpdate(
        { _id: idOf(`${name}/${window}`) },
        { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
        { upsert: true, returnDocument: 'after', projection: { count: 1 } },
      );
      return { count: spent?.count ?? 1, secondsLeft: Math.ceil((endsAt - at.getTime()) / 1000) };
    },
  };
}
