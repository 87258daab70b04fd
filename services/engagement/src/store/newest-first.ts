import type { Position } from '@storefront/service-kit';

/** The order of lists: the id decides where the time is the same. */
export const newestFirst = { createdAt: -1, _id: -1 } as const;

/** What comes after a position in a list that is newest first. */
export function olderThan(position: Position | undefined) {
  if (position === undefined) return {};
  const [time, id] = position;
  const createdAt = new Date(time as number);
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id as string } }] };
}

interface Dated {
  readonly id: string;
  readonly createdAt: Date;
}

/** Compares as the lists are sorted. */
export function byAge(one: Dated, other: Dated): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
}
