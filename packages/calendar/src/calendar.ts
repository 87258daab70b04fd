/** A day of the calendar, such as `2026-11-21`. Days compare as text. */
export type Day = string;

/** The days of one time zone. */
export interface Calendar {
  readonly dayOf: (at: Date) => Day;
  /** The first moment of the day: not always midnight, as clocks may skip it. */
  readonly startOf: (day: Day) => Date;
}

const hour = 60 * 60 * 1000;
const keptStarts = 2000;

/** Throws a RangeError where there is no such time zone. */
export function calendarOf(timeZone: string): Calendar {
  // The Canadian form of a date is the one of ISO 8601.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const dayOf = (at: Date): Day => format.format(at);

  function findStart(day: Day): number {
    // No time zone is further from UTC than 14 hours.
    const utc = Date.parse(day);
    let [before, within] = [utc - 15 * hour, utc + 15 * hour];
    while (within - before > 1) {
      const middle = Math.floor((before + within) / 2);
      if (dayOf(new Date(middle)) < day) before = middle;
      else within = middle;
    }
    return within;
  }

  // A search costs as much as the rest of an invoice, and most are for the same days.
  const starts = new Map<Day, number>();
  return {
    dayOf,
    startOf(day) {
      let start = starts.get(day);
      if (start === undefined) {
        start = findStart(day);
        if (starts.size >= keptStarts) starts.clear();
        starts.set(day, start);
      }
      return new Date(start);
    },
  };
}

/** Whether it names a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    calendarOf(name);
    return true;
  } catch {
    return false;
  }
}

/** So many days later; earlier where it is below 0. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * 24 * hour).toISOString().slice(0, 10);
}
