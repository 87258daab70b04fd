/** Hours of each day in which no mail is sent but security mail. */
export interface QuietHours {
  /** Times of day, `22:00`; an end before the start is on the next day. */
  readonly start: string;
  readonly end: string;
  /** Of the IANA database, such as `Europe/Amsterdam`. */
  readonly timeZone: string;
}

const minuteMs = 60_000;
const quarter = 15;

/**
 * When the quiet hours end that `at` lies in; null where it lies in none. They follow the clock of their time zone,
 * also in the nights in which it changes.
 */
export function endOfQuietHours(quietHours: QuietHours | null, at: Date): Date | null {
  if (quietHours === null) return null;
  const start = minutesOf(quietHours.start);
  const end = minutesOf(quietHours.end);
  const clock = clockIn(quietHours.timeZone);
  const isQuiet = (minutes: number) =>
    start <= end ? minutes >= start && minutes < end : minutes >= start || minutes < end;

  let time = Math.floor(at.getTime() / minuteMs) * minuteMs;
  let local = clock(time);
  if (!isQuiet(local)) return null;
  while (isQuiet(local)) {
    // Clocks are put forward or back on a quarter of an hour, so no step may cross one.
    time += Math.min((end - local + 1440) % 1440, quarter - (local % quarter)) * minuteMs;
    local = clock(time);
  }
  return new Date(time);
}

/** Minutes since midnight. */
function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Returns the local time of day, in minutes since midnight, of a time in milliseconds. */
function clockIn(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (time) => minutesOf(format.format(time));
}
