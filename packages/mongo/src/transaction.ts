import mongoose from 'mongoose';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from './database.ts';
import { isDuplicate } from './errors.ts';
import { withinTimeLimit } from './time-limit.ts';

/** A transaction: several documents change together, or none of them. */
export interface Transaction {
  /** Must be passed to every read and write of the transaction. */
  readonly session: mongoose.mongo.ClientSession;
  /** Runs `effect` after the transaction is committed, and never if it is not committed. */
  readonly afterCommit: (effect: () => void) => void;
}

// MongoDB aborts a transaction after 5 s, and until then others wait for what it has written. If all began that a crowd
// wants at once, each would have so small a part of the processor that none came to its end.
const atOnce = 8;
const limits = new WeakMap<Database, LimitFunction>();

/**
 * Runs `work` in a transaction with its own snapshot. If another transaction changed the same documents meanwhile,
 * `work` runs again from the start, so it must have no effect outside the database. If `work` throws, nothing is
 * written and the error passes through.
 *
 * After `limitMs` milliseconds (30 s by default) this fails with an error for which `isDatabaseAway` is true. It is
 * then unknown whether anything was written, but `work` does not start again. Use this for several documents only:
 * changing a single document is cheaper without a transaction. A process has 8 under way at once for each of its
 * databases, and `limitMs` includes the time until this one is among them; so `work` must not begin another one.
 */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  { limitMs = 30_000 }: { readonly limitMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + limitMs;
  let effects: (() => void)[] = [];
  const limit = limits.get(database) ?? pLimit(atOnce);
  limits.set(database, limit);
  const run = limit(() =>
    database.getClient().withSession((session) =>
      session.withTransaction(
        () => {
          // The driver tries for 120 s. After the time limit nobody waits for the result, and a further attempt would
          // only delay others.
          if (performance.now() >= deadline)
            throw new mongoose.mongo.MongoOperationTimeoutError(`no answer within ${limitMs} ms`);
          effects = [];
          return work({ session, afterCommit: (effect) => effects.push(effect) });
        },
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
      ),
    ),
  );
  // The limit is needed here, because the commit is not a command of a collection, and the driver repeats an unanswered
  // commit for 120 s.
  const result = await withinTimeLimit(run, limitMs);
  for (const effect of effects) effect();
  return result;
}

/**
 * The same for documents that most often do not exist yet. At first `work` may take them as new without reading them:
 * `areNew` says so. Where one exists, its insertion is refused, and `work` runs again and has to read. So each
 * document that it takes as new must be inserted, or nothing shows that it was not.
 */
export async function inTransactionOfNew<Result>(
  database: Database,
  work: (transaction: Transaction, areNew: boolean) => Promise<Result>,
  options?: { readonly limitMs?: number },
): Promise<Result> {
  try {
    return await inTransaction(database, (transaction) => work(transaction, true), options);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return inTransaction(database, (transaction) => work(transaction, false), options);
  }
}
