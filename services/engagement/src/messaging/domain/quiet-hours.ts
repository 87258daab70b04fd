/** Hours of each day in which only security mail is sent. */
export interface QuietHours {
  /** Times of day, for example `22:00`. An end before the start is on the next day. */
  readonly start: string;
  readonly end: string;
  /** A time zone of the IANA database, such as `Europe/Amsterdam`. */
  readonly timeZone: string;
}

const minuteMs = 60_000;
const quarter = 15;

/**
 * Returns when the quiet hours around `at` end; null where `at` is not in quiet hours. The hours follow the local
 * clock, also in nights when the clock is put forward or back.
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
    // Clocks change only at a quarter of an hour, so each step ends at the next quarter at the latest.
    time += Math.min((end - local + 1440) % 1440, quarter - (local % quarter)) * minuteMs;
    local = clock(time);
  }
  return new Date(time);
}

/** Returns the minutes since midnight. */
function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Returns a function that converts a time in milliseconds into minutes since midnight in the time zone. */
function clockIn(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (time) => minutesOf(format.format(time));
}
