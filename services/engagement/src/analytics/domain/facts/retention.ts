import { eventRecordDays } from '@storefront/contracts';

const dayMs = 24 * 60 * 60 * 1000;

/** So many months of the calendar later, in UTC; the first day after, where the later month has no such day. */
export function monthsAfter(at: Date, months: number): Date {
  const later = new Date(at);
  later.setUTCMonth(later.getUTCMonth() + months);
  return later;
}

/**
 * Until when a fact is kept that counts at `at` for the last time and was published at `publishedAt`. However long ago that is, it outlives the dead letters:
 * its event, delivered again, must find it.
 */
export function keptUntilOf(
  { at, publishedAt }: { readonly at: Date; readonly publishedAt: Date },
  months: number,
): Date {
  return new Date(Math.max(monthsAfter(at, months).getTime(), publishedAt.getTime() + eventRecordDays * dayMs));
}
