import type { Day } from '@storefront/calendar';

/** The series of numbers: invoices and credit notes. */
export type SeriesName = 'INV' | 'CN';

/** The series of the year of a day, such as `INV-2026`. */
export function seriesOf(name: SeriesName, day: Day): string {
  return `${name}-${day.slice(0, 4)}`;
}

/** A number of a series: six digits, or more where there are so many. */
export function numberOf(series: string, ordinal: number): string {
  return `${series}-${String(ordinal).padStart(6, '0')}`;
}
