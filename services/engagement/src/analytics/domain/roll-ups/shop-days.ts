import type { Calendar } from '@storefront/calendar';

/** A day of the shop's time zone, as the number of days from 1970-01-01 to its date. */
export type DayIndex = number;

/** A quarter of an hour of a day in the shop's time zone. `quarter` is 0 for the first quarter of the day. */
export interface Quarter {
  readonly day: DayIndex;
  readonly quarter: number;
}

/** Divides time into days and quarters of an hour of the shop. Each moment is in exactly one day and one quarter. */
export interface ShopDays {
  quarterOf(at: Date): Quarter;
  dayOf(at: Date): DayIndex;
  /** The first moment of the day. */
  startOf(day: DayIndex): Date;
  /** How many quarters the day has: 96, or a few more or fewer on a day when the clocks change. */
  quartersIn(day: DayIndex): number;
}

const dayMs = 24 * 60 * 60 * 1000;
const quarterMs = 15 * 60 * 1000;

export function shopDaysOf(calendar: Calendar): ShopDays {
  // The starts of days are remembered, because the calendar needs as much time as all other work on a fact, and most
  // facts are of the same few days.
  const starts = new Map<DayIndex, number>();
  function startMs(day: DayIndex): number {
    let start = starts.get(day);
    if (start === undefined) {
      start = calendar.startOf(dateOf(day)).getTime();
      starts.set(day, start);
    }
    return start;
  }

  function dayOf(at: Date): DayIndex {
    const ms = at.getTime();
    let day = Math.floor(ms / dayMs);
    while (ms < startMs(day)) day -= 1;
    while (ms >= startMs(day + 1)) day += 1;
    return day;
  }

  return {
    dayOf,
    quarterOf(at) {
      const day = dayOf(at);
      return { day, quarter: Math.floor((at.getTime() - startMs(day)) / quarterMs) };
    },
    startOf: (day) => new Date(startMs(day)),
    quartersIn: (day) => Math.ceil((startMs(day + 1) - startMs(day)) / quarterMs),
  };
}

/** The date of the day, such as `2026-11-23`. */
export function dateOf(day: DayIndex): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The day with that date. null where the text is no date. */
export function dayIndexOf(date: string): DayIndex | null {
  const day = Date.parse(date) / dayMs;
  return /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(day) && dateOf(day) === date ? day : null;
}
