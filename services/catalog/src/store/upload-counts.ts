import { createHmac } from 'node:crypto';
import { catalogErrors } from '@storefront/contracts';
import { defineBudgets, openBudgets, type Database } from '@storefront/mongo';

export const uploadCounts = defineBudgets('upload_counts');

/** Limits how many pictures one caller may upload on a day (UTC). */
export interface UploadCounts {
  /** Counts one upload. Throws `too_many_uploads` beyond `most` of them. */
  spend(userId: string, most: number): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The id of the caller is stored as a hash keyed by `secret`. */
export function openUploadCounts(
  { database, now }: { database: Database; now: () => Date },
  secret: string,
): UploadCounts {
  const idOf = (name: string) => createHmac('sha256', secret).update(`uploads\0${name}`).digest('base64url');
  const budgets = openBudgets(database, uploadCounts, { windowMs: dayMs, idOf });
  return {
    async spend(userId, most) {
      const { count, secondsLeft } = await budgets.spend(userId, now());
      if (count > most) throw catalogErrors.tooManyUploads().with({ retryAfterSeconds: secondsLeft });
    },
  };
}
