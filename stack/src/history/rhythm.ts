import type { Random } from './random.ts';

/** When people come to a shop. */
export interface Rhythm {
  /** How much happens in a part of a history, as a share of what happens in a mean part. */
  readonly shareOf: (begin: number) => number;
  /** Draws moments from `begin` on and before `end`. */
  readonly momentsOf: (random: Random, begin: number, end: number) => () => number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Monday first. */
const weekdays = [1.08, 1.01, 1.01, 1.04, 1.04, 0.91, 0.91];
const hours = [6, 4, 3, 2, 2, 4, 9, 22, 42, 57, 62, 58, 45, 51, 56, 54, 50, 43, 44, 50, 52, 46, 30, 14];
const daysOfYear = 365.25;
/** The day of the year on which most hot drinks are bought. */
const peakDay = 345;

/** More on some weekdays than on others, more in winter, most before Christmas, and little at night; days are those of UTC. */
export const usualRhythm: Rhythm = {
  shareOf(begin) {
    const day = Math.floor(begin / dayMs);
    const dayOfYear = day % daysOfYear;
    const season = 0.25 * Math.cos((2 * Math.PI * (dayOfYear - peakDay)) / daysOfYear);
    const christmas = dayOfYear >= 332 && dayOfYear <= 354 ? 0.25 : 0;
    // 1970-01-01 was a Thursday.
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
