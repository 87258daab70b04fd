import { collectionOf } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { isDuplicate } from './errors.ts';
import { integer, optional, text } from './fields.ts';
import type { Lease } from './leases.ts';
import type { Transaction } from './transaction.ts';

/** A service that has jobs keeps this collection among its own. */
export const jobHolders = defineCollection(
  'job_holders',
  { holder: text(), transactions: optional(integer()) },
  { sharding: { unsharded: 'one document for each job' } },
);

/**
 * Which instance does the work of a job, so that not all instances look for the same work. This is no lock: for a moment
 * two may do the same job. So each change of a job must tolerate that, or be a transaction that begins with `fence`.
 */
export interface JobHolders {
  /** Whether this instance does the work of the job: the first instance that calls this does, until that instance has ended. */
  take(job: string): Promise<boolean>;
  /**
   * Has this instance do the work of the job from now on, whichever instance does it now. To be used only where the
   * transactions of the job are fenced.
   */
  seize(job: string): Promise<void>;
  /**
   * To be called first in a transaction: it is committed only if this instance does the work of the job until then. Throws a
   * `JobLostError` where another instance does it.
   */
  fence(job: string, transaction: Pick<Transaction, 'session'>): Promise<void>;
}

/** Another instance does the work of the job now; nothing was written. */
export class JobLostError extends Error {
  override readonly name = 'JobLostError';
}

export function openJobHolders({
  database,
  lease,
}: {
  readonly database: Database;
  readonly lease: Pick<Lease, 'holder' | 'isHeld' | 'hasEnded'>;
}): JobHolders {
  const collection = collectionOf(database, jobHolders);

  async function insert(job: string, holder: string): Promise<boolean> {
    try {
      await collection.insertOne({ _id: job, holder });
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  }

  return {
    async take(job) {
      const { holder } = lease;
      if (!lease.isHeld(holder)) return false;
      const found = await collection.findOne({ _id: job });
      if (found === null) return insert(job, holder);
      if (found.holder === holder) return true;
      if (!(await lease.hasEnded(found.holder))) return false;
      const { matchedCount } = await collection.updateOne({ _id: job, holder: found.holder }, { $set: { holder } });
      return matchedCount === 1;
    },

    async seize(job) {
      await collection.updateOne({ _id: job }, { $set: { holder: lease.holder } }, { upsert: true });
    },

    async fence(job, { session }) {
      // A write, and no read: an instance that takes the job meanwhile writes the same document, and only one of the
      // two writes is committed.
      const filter = { _id: job, holder: lease.holder };
      const { matchedCount } = await collection.updateOne(filter, { $inc: { transactions: 1 } }, { session });
      if (matchedCount === 0) throw new JobLostError(`another instance does the job ${job} now`);
    },
  };
}
