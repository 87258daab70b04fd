import type { Day } from '@storefront/calendar';

/** The kind of a number series: `INV` for invoices, `CN` for credit notes. */
export type SeriesName = 'INV' | 'CN';

/** The name of the series for the year of this day, such as `INV-2026`. */
export function seriesOf(name: SeriesName, day: Day): string {
  return `${name}-${day.slice(0, 4)}`;
}

/** The full number, such as `INV-2026-000042`: at least six digits. */
export function numberOf(series: string, ordinal: number): string {
  return `${series}-${String(ordinal).padStart(6, '0')}`;
}
