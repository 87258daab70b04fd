/** So many months of the calendar later, in UTC; the first day after, where the later month has no such day. */
export function monthsAfter(at: Date, months: number): Date {
  const later = new Date(at);
  later.setUTCMonth(later.getUTCMonth() + months);
  return later;
}
