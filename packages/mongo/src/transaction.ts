import type mongoose from 'mongoose';
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
 * and nothing is written. After 30 s it fails with an error for which `isDatabaseAway` is true, and it is unknown
 * whether anything was written. Only for several documents: the change of a single one is cheaper without.
 */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let effects: (() => void)[] = [];
  const run = database.getClient().withSession((session) =>
    session.withTransaction(
      () => {
        effects = [];
        return work({ session, afterCommit: (effect) => effects.push(effect) });
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
    ),
  );
  // The commit is a command of no collection, and the driver repeats a commit that is not answered for 120 s.
  const result = await withinTimeLimit(run);
  for (const effect of effects) effect();
  return result;
}
