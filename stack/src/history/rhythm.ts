import type { Random } from './random.ts';

/** How busy a shop is at different times. */
export interface Rhythm {
  /** How much happens in the part that begins at `begin`, compared with an average part (1). */
  readonly shareOf: (begin: number) => number;
  /** Returns a function that draws random moments from `begin` up to but not including `end`. */
  readonly momentsOf: (random: Random, begin: number, end: number) => () => number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How busy each day of the week is, from Monday to Sunday. 1 is the average. */
const weekdays = [1.08, 1.01, 1.01, 1.04, 1.04, 0.91, 0.91];
const hours = [6, 4, 3, 2, 2, 4, 9, 22, 42, 57, 62, 58, 45, 51, 56, 54, 50, 43, 44, 50, 52, 46, 30, 14];
const daysOfYear = 365.25;
/** The day of the year on which people buy the most hot drinks. */
const peakDay = 345;

/**
 * The usual rhythm: some weekdays are busier than others, winter is busier than summer, the weeks before Christmas are
 * the busiest, and nights are quiet. All days are in UTC.
 */
export const usualRhythm: Rhythm = {
  shareOf(begin) {
    const day = Math.floor(begin / dayMs);
    const dayOfYear = day % daysOfYear;
    const season = 0.25 * Math.cos((2 * Math.PI * (dayOfYear - peakDay)) / daysOfYear);
    const christmas = dayOfYear >= 332 && dayOfYear <= 354 ? 0.25 : 0;
    // 1970-01-01, day 0, was a Thursday.
    return (weekdays[(day + 3) % 7] ?? 1) * (1 + season + christmas);
  },

  momentsOf(random, begin, end) {
    const all = hours.reduce((sum, weight) => sum + weight, 0);
    const days = Math.max(1, Math.round((end - begin) / dayMs));
    return () => {
      let left = random.next() * all;
      const hour = hours.findIndex((weight) => (left -= weight) < 0);
      const moment = begin + random.between(0, days - 1) * dayMs + hour * hourMs + random.between(0, hourMs - 1);
      return Math.min(moment, end - 1);
    };
  },
};
