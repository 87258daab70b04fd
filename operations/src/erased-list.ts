import { erasedAt, erasedUsers } from '@storefront/mongo';
import type { Databases } from './backup/databases.ts';

/** Services that store which users they have erased. */
const keepers = ['account', 'engagement', 'billing', 'orders'] as const;

/**
 * The users who were erased at `since` or later, also where the erasure has only begun. Each line has the hash of a
 * user's id and the time. Registrations with the emails of these users are included. Services keep the hashes for 90
 * days.
 */
export async function listErased({ of }: Pick<Databases, 'of'>, since: Date): Promise<readonly string[]> {
  const found = new Map<string, Date>();
  for (const keeper of keepers) {
    const kept = of(keeper).collection<{ _id: string; keptUntil: Date }>(erasedUsers.name);
    for await (const each of kept.find()) {
      const [time, before] = [erasedAt(each), found.get(each._id)];
      if (time >= since && (before === undefined || time < before)) found.set(each._id, time);
    }
  }
  const byTime = [...found].toSorted(([, one], [, other]) => one.getTime() - other.getTime());
  return byTime.map(([hash, time]) => `${hash} ${time.toISOString()}`);
}
