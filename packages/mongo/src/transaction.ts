import mongoose from 'mongoose';
import type { Database } from './database.ts';
import { withinTimeLimit } from './time-limit.ts';

/** Several documents that change together, or not at all. */
export interface Transaction {
  /** To be passed to every read and write of the transaction. */
  readonly session: mongoose.mongo.ClientSession;
  /** Runs `effect` once the transaction is committed, and never if it is not. */
  readonly afterCommit: (effect: () => void) => void;
}

/**
 * Runs `work` in a transaction with a snapshot of its own. If another transaction changed the same documents meanwhile,
 * `work` runs again from the start, so it must have no effect outside the database. An error of `work` passes through,
 * and nothing is written. After 30 s, or `limitMs`, it fails with an error for which `isDatabaseAway` is true, and it is unknown
 * whether anything was written; `work` does not begin any more then. Only for several documents: the change of a single one is
 * cheaper without.
 */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  { limitMs = 30_000 }: { readonly limitMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + limitMs;
  let effects: (() => void)[] = [];
  const run = database.getClient().withSession((session) =>
    session.withTransaction(
      () => {
        // The driver tries for 120 s. An attempt after the time limit, whose caller is gone, would only delay others.
        if (performance.now() >= deadline) throw new mongoose.mongo.MongoOperationTimeoutError('the time is up');
        effects = [];
        return work({ session, afterCommit: (effect) => effects.push(effect) });
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
    ),
  );
  // The commit is a command of no collection, and the driver repeats a commit that is not answered for 120 s.
  const result = await withinTimeLimit(run, limitMs);
  for (const effect of effects) effect();
  return result;
}
