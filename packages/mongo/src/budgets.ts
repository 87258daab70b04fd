import { collectionOf } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { date, integer } from './fields.ts';
import { byId } from './sharding.ts';

/** A collection of budgets: how much of each was spent in one window of time. */
export function defineBudgets(name: string) {
  return defineCollection(
    name,
    { count: integer(), expiresAt: date() },
    { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
  );
}

export interface BudgetOptions {
  /** The length of a window. Windows begin at multiples of it since 1970, so those of a day are days in UTC. */
  readonly windowMs: number;
  /** Makes the id of a budget from its name and window: a keyed hash where names must not be stored. */
  readonly idOf?: (name: string) => string;
}

interface Spent {
  /** How much is spent in the window, this call included. */
  readonly count: number;
  /** Until the next window begins, rounded up. */
  readonly secondsLeft: number;
}

/** Bounds something by a window of time. Each window begins with nothing spent. */
export interface Budgets {
  /**
   * Spends 1 of the budget with that name, in the window that `at` is in. Exact for any number of calls at once: each gets another
   * count. It never refuses: the caller compares the count with its limit.
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
      // Kept for longer than it counts, since the clock of the database may be ahead.
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
