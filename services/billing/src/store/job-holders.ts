import { collectionOf, isDuplicate } from '@storefront/mongo';
import type { Database, Lease } from '@storefront/mongo';
import { jobHolders } from './collections.ts';

/**
 * Which instance does the work of a job, so that not all of them look for the same. It is no lock: for a moment two may do the same
 * job, and each of its changes must bear that.
 */
export interface JobHolders {
  /** Whether this instance does the work of the job: the first one that asks does, until it has ended. */
  take(job: string): Promise<boolean>;
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
  };
}
