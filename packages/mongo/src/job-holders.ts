import { z } from 'zod';
import { collectionOf } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import { isDuplicate } from './errors.ts';
import type { Lease } from './leases.ts';
import type { Transaction } from './transaction.ts';

/** A service with jobs adds this collection to its own collections. */
export const jobHolders = defineCollection(
  'job_holders',
  { holder: z.string(), transactions: z.int().optional() },
  { sharding: { unsharded: 'one document for each job' } },
);

/**
 * Decides which instance runs a job, so that not all instances look for the same work. This is not a lock: for a moment
 * two instances may run the same job. So each change of a job must tolerate that, or be a transaction that begins with
 * `fence`.
 */
export interface JobHolders {
  /** Whether this instance runs the job. The first instance that calls this runs the job until it has ended. */
  take(job: string): Promise<boolean>;
  /**
   * Makes this instance run the job from now on, even if another instance runs it now. Use this only for jobs whose
   * transactions are fenced.
   */
  seize(job: string): Promise<void>;
  /**
   * Must be called first in a transaction. The transaction is then committed only if this instance still runs the job.
   * Throws a `JobLostError` if another instance runs it.
   */
  fence(job: string, transaction: Pick<Transaction, 'session'>): Promise<void>;
}

/** Another instance runs the job now; nothing was written. */
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
      // A write instead of a read: another instance that takes the job writes the same document, and only one of the
      // two writes is committed.
      const filter = { _id: job, holder: lease.holder };
      const { matchedCount } = await collection.updateOne(filter, { $inc: { transactions: 1 } }, { session });
      if (matchedCount === 0) throw new JobLostError(`another instance does the job ${job} now`);
    },
  };
}
