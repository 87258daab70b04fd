import { eventRecordDays } from '@storefront/contracts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The moment that is that number of calendar months later, in UTC. Where the later month has no such day, the extra
 * days run on into the next month.
 */
export function monthsAfter(at: Date, months: number): Date {
  const later = new Date(at);
  later.setUTCMonth(later.getUTCMonth() + months);
  return later;
}

/**
 * Returns until when a fact is kept. `at` is the last moment at which the fact counts, and `publishedAt` is when its
 * event was published. Even an old fact is kept longer than dead letters: when its event is delivered again, the stored
 * fact shows that it was counted already.
 */
export function keptUntilOf(
  { at, publishedAt }: { readonly at: Date; readonly publishedAt: Date },
  months: number,
): Date {
  return new Date(Math.max(monthsAfter(at, months).getTime(), publishedAt.getTime() + eventRecordDays * dayMs));
}
