/** From `start` on and before `end`, in milliseconds since 1970. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** An interval of a report. */
export interface Interval extends Stretch {
  /** How a report names it. */
  readonly label: string;
}

export type IntervalName = 'hour' | 'day' | 'week' | 'month';

const quarterMs = 15 * 60_000;
const dayMs = 24 * 60 * 60_000;

interface LocalTime {
  readonly date: string;
  readonly hour: string;
  /** As `+02:00`. */
  readonly offset: string;
}

const remembered = new Map<string, readonly Interval[]>();

/** What the clocks of the zone show at a moment, as the runtime says it. */
export function clockOf(zone: string): (moment: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    timeZoneName: 'longOffset',
  });
  return (moment) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const offset = (parts['timeZoneName'] ?? '').replace('GMT', '') || '+00:00';
    return { date: `${parts['year']}-${parts['month']}-${parts['day']}`, hour: parts['hour'] ?? '', offset };
  };
}

/** The Monday of the date's week. */
function mondayOf(date: string): string {
  const midnight = Date.parse(date);
  return dateBefore(date, (new Date(midnight).getUTCDay() + 6) % 7);
}

/** The date so many days before. */
export function dateBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10);
}

/** How many days it is from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}

/**
 * The intervals from the date `from` on and before the date `to`, found by walking over all quarters of an hour and asking
 * for the date and hour of each. Those of the same question are remembered, as asking takes long.
 */
export function intervalsOf(from: string, to: string, name: IntervalName, zone: string): readonly Interval[] {
  const question = [from, to, name, zone].join(' ');
  const found = remembered.get(question) ?? walk(from, to, name, zone);
  remembered.set(question, found);
  return found;
}

function walk(from: string, to: string, name: IntervalName, zone: string): Interval[] {
  const clock = clockOf(zone);
  const found: { key: string; start: number; end: number; label: string }[] = [];
  for (let quarter = Date.parse(from) - dayMs; quarter < Date.parse(to) + dayMs; quarter += quarterMs) {
    const local = clock(quarter);
    const { date, hour, offset } = local;
    if (date < from || date >= to) continue;
    const key = {
      hour: `${date}T${hour}:00:00${offset}`,
      day: date,
      week: mondayOf(date),
      month: date.slice(0, 7),
    }[name];
    const last = found.at(-1);
    if (last?.key === key) last.end = quarter + quarterMs;
    else found.push({ key, start: quarter, end: quarter + quarterMs, label: name === 'hour' ? key : date });
  }
  return found;
}
