import { addDays, type Calendar, type Day } from '@storefront/calendar';
import type { Interval } from '../roll-ups/roll-ups.ts';
import type { LocalClock } from './local-hours.ts';

export type Unit = 'hour' | 'day' | 'week' | 'month';

/** The days from `from` on and before `to`. */
export interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** The days and the clock of one time zone. */
export interface Zone {
  readonly name: string;
  readonly calendar: Calendar;
  readonly clock: LocalClock;
}

/** An interval with the name that reports write: the day or the time with its offset at which the interval begins. */
export interface NamedInterval extends Interval {
  readonly name: string;
}

const quarterMs = 15 * 60_000;
const hourMs = 4 * quarterMs;
const dayMs = 24 * hourMs;

/** The number of days. */
export function lengthOf({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

/**
 * How many intervals of the unit the days have, computed without listing them. Where the clock changes within an hour,
 * as on the Chatham Islands, `intervalsOf` returns one hour more.
 */
export function countIntervals(unit: Unit, days: Days, zone: Zone): number {
  if (unit === 'day') return lengthOf(days);
  if (unit === 'hour') {
    const { start, end } = oneInterval(days, zone);
    return Math.ceil((end.getTime() - start.getTime()) / hourMs);
  }
  const last = addDays(days.to, -1);
  if (unit === 'week') return lengthOf({ from: mondayOf(days.from), to: mondayOf(last) }) / 7 + 1;
  return monthNumber(last) - monthNumber(days.from) + 1;
}

/**
 * The intervals of the days in order, without gaps: hours, days, ISO weeks or months of the time zone. The first and
 * the last week or month are cut where the days begin or end within them.
 */
export function intervalsOf(unit: Unit, days: Days, zone: Zone): NamedInterval[] {
  if (unit === 'hour') return hoursOf(days, zone);
  const starts: Day[] = [];
  for (let day = days.from; day < days.to; day = nextStart(unit, day)) starts.push(day);
  return starts.map((from, index) => oneInterval({ from, to: starts[index + 1] ?? days.to }, zone)).filter(isNotEmpty);
}

/** The days as one interval. */
export function oneInterval({ from, to }: Days, { calendar }: Zone): NamedInterval {
  return { name: from, start: wholeQuarter(calendar.startOf(from)), end: wholeQuarter(calendar.startOf(to)) };
}

/** The same number of days, directly before the given days. */
export function daysBefore(days: Days): Days {
  return { from: addDays(days.from, -lengthOf(days)), to: days.from };
}

// An hour begins where the local clock shows a full hour, and where the clock is put forward or back.
function hoursOf(days: Days, zone: Zone): NamedInterval[] {
  const { start, end } = oneInterval(days, zone);
  const { offsetAt, textOf } = zone.clock;
  const starts: number[] = [];
  let before = Number.NaN;
  for (let at = start.getTime(); at < end.getTime(); at += quarterMs) {
    const offset = offsetAt(at);
    if (offset !== before || (at + offset) % hourMs === 0) starts.push(at);
    before = offset;
  }
  return starts.map((at, index) => ({
    name: textOf(at),
    start: new Date(at),
    end: new Date(starts[index + 1] ?? end),
  }));
}

function nextStart(unit: Exclude<Unit, 'hour'>, day: Day): Day {
  if (unit === 'day') return addDays(day, 1);
  if (unit === 'week') return addDays(mondayOf(day), 7);
  return addDays(`${day.slice(0, 7)}-01`, 31)
    .slice(0, 7)
    .concat('-01');
}

function mondayOf(day: Day): Day {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

function monthNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}

// A time zone may have left out a day, as Samoa did in 2011. The interval of such a day is empty.
function isNotEmpty({ start, end }: Interval): boolean {
  return start < end;
}

// Sums are kept by quarters of an hour. Today all time zones differ from UTC by whole quarters, but Liberia's did not
// before 1972.
function wholeQuarter(at: Date): Date {
  return new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);
}
