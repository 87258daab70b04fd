import type mongoose from 'mongoose';

/** Several documents that change together, or not at all. */
export interface Transaction {
  /** Goes along with every read and write that belongs to it. */
  readonly session: mongoose.mongo.ClientSession;
  /** Runs `effect` once it is committed, and never where it is not. */
  readonly afterCommit: (effect: () => void) => void;
}

/**
 * Runs `work` in a transaction with a snapshot of its own. Where another one changed the same documents meanwhile it runs
 * again from the start, so `work` must have no effect outside the database. What `work` throws passes through, and
 * nothing is written. For what a single document can't hold: one document's change is cheaper.
 */
export async function inTransaction<Result>(
  connection: mongoose.Connection,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let effects: (() => void)[] = [];
  const result = await connection.getClient().withSession((session) =>
    session.withTransaction(
      () => {
        effects = [];
        return work({ session, afterCommit: (effect) => effects.push(effect) });
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
    ),
  );
  for (const effect of effects) effect();
  return result;
}
