import type { Segment } from '../../analytics/domain/facts/fact.ts';
import type { Random } from './random.ts';

/**
 * When people come: by the day of the week, Monday first, with a mean of 1; and by the hour of the day. Shoppers come in the evening
 * and at the weekend, businesses in office hours.
 */
const shoppers = {
  weekdays: [0.92, 0.86, 0.9, 0.94, 1, 1.16, 1.22],
  hours: [10, 6, 4, 3, 3, 5, 11, 20, 29, 38, 44, 46, 50, 46, 41, 40, 44, 52, 64, 80, 88, 76, 48, 24],
};
const businesses = {
  weekdays: [1.5, 1.4, 1.3, 1.3, 1.15, 0.25, 0.1],
  hours: [0, 0, 0, 0, 0, 1, 6, 25, 60, 84, 90, 76, 40, 60, 76, 72, 58, 30, 12, 6, 4, 3, 1, 0],
};
const rhythms = { retail: shoppers, guest: shoppers, trade: businesses };

const msOfHour = 3_600_000;
const msOfDay = 24 * msOfHour;
const daysOfYear = 365.25;
/** The day of the year on which most hot drinks are bought. */
const peakDay = 345;
/** A push of a campaign: how many days it lasts, and after how many days it comes again. */
const [pushDays, pushEvery] = [10, 91];

/**
 * How many times as much as on a mean day happens on a day. `day` counts the days since 1970-01-01; `pushed` is how many campaigns
 * are pushed on it.
 */
export function demandOf(segment: Segment, day: number, pushed: number): number {
  // 1970-01-01 was a Thursday.
  const weekday = rhythms[segment].weekdays[(day + 3) % 7] ?? 1;
  return weekday * (1 + seasonOf(day)) * (1 + 0.3 * pushed);
}

/** More is bought in winter, most before Christmas; from -0.25 to 0.5. */
function seasonOf(day: number): number {
  const dayOfYear = day % daysOfYear;
  const winter = 0.25 * Math.cos((2 * Math.PI * (dayOfYear - peakDay)) / daysOfYear);
  return winter + (dayOfYear >= 332 && dayOfYear <= 354 ? 0.25 : 0);
}

/** Whether a campaign is advertised on the day: ten days of each quarter, at other times than its neighbours in the list. */
export function isPushed(at: number, day: number): boolean {
  return (day + at * 37) % pushEvery < pushDays;
}

/** Whether a push of the campaign begins on the day. */
export function pushBegins(at: number, day: number): boolean {
  return (day + at * 37) % pushEvery === 0;
}

/** A moment of a day that begins at `start`, at an hour at which such people come. */
export function momentOf(segment: Segment, start: Date, random: Random): Date {
  const weights = rhythms[segment].hours;
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const hour = weights.findIndex((weight) => (left -= weight) < 0);
  return new Date(start.getTime() + hour * msOfHour + random.below(msOfHour));
}

export const later = (at: Date, milliseconds: number) => new Date(at.getTime() + Math.round(milliseconds));
export const minutes = (count: number) => count * 60_000;
export const hours = (count: number) => count * msOfHour;
export const days = (count: number) => count * msOfDay;
