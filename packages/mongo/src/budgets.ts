import { z } from 'zod';
import { batch } from './batch.ts';
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
   * each call gets a different count. Calls for a budget that come while another one is counted become one command. It
   * never refuses: the caller must compare the count with the limit.
   */
  spend(name: string, at: Date): Promise<Spent>;
}

export function openBudgets(
  database: Database,
  definition: ReturnType<typeof defineBudgets>,
  { windowMs, idOf = (name) => name }: BudgetOptions,
): Budgets {
  const collection = collectionOf(database, definition);
  const add = inTurns(async (id, calls: readonly Date[]) => {
    // The id names the window, so all calls have the same end.
    const [expiresAt] = calls;
    const spent = await collection.findOneAndUpdate(
      { _id: id },
      { $inc: { count: calls.length }, $setOnInsert: { expiresAt } },
      { upsert: true, returnDocument: 'after', projection: { count: 1 } },
    );
    const before = (spent?.count ?? calls.length) - calls.length;
    return calls.map((_call, index) => before + index + 1);
  });
  return {
    async spend(name, at) {
      const window = Math.floor(at.getTime() / windowMs);
      const endsAt = (window + 1) * windowMs;
      // Kept one window longer than needed, because the clock of the database may be ahead.
      const count = await add(idOf(`${name}/${window}`), new Date(endsAt + windowMs));
      return { count, secondsLeft: Math.ceil((endsAt - at.getTime()) / 1000) };
    },
  };
}

/**
 * Works on the calls with the same id together, one batch after the other: commands that change the same document at once
 * make MongoDB try them again and again.
 */
function inTurns<Call, Result>(
  work: (id: string, calls: readonly Call[]) => Promise<readonly Result[]>,
): (id: string, call: Call) => Promise<Result> {
  const open = new Map<string, { calls: number; readonly add: (call: Call) => Promise<Result> }>();
  return async (id, call) => {
    const turns = open.get(id) ?? { calls: 0, add: batch({ concurrency: 1, work: (calls) => work(id, calls) }) };
    open.set(id, turns);
    turns.calls += 1;
    try {
      return await turns.add(call);
    } finally {
      turns.calls -= 1;
      if (turns.calls === 0) open.delete(id);
    }
  };
}
