import { erasedAt, erasedUsers } from '@storefront/mongo';
import type { Databases } from './backup/databases.ts';

/** Services that keep whom they have erased. */
const keepers = ['account', 'engagement', 'billing'] as const;

/**
 * The users who were erased at `since` or later, or whose erasure has begun, each on a line: what is kept of the id, a
 * hash, and the time. The registrations of their emails are among them. Services keep it for 90 days.
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
