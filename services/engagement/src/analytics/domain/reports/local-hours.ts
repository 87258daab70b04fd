const minuteMs = 60_000;

/** The clock of a time zone. */
export interface LocalClock {
  /** How far the local clock is ahead of UTC at that moment, in milliseconds. Negative west of UTC. */
  readonly offsetAt: (at: number) => number;
  /** The local time with its offset, such as `2026-11-23T09:00:00+01:00`. */
  readonly textOf: (at: number) => string;
}

/** Returns the clock of a time zone. Throws a RangeError where there is no such time zone. */
export function localClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });

  function offsetAt(at: number): number {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
      /^GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(name) ?? [];
    const size = Number(hours) * 60 * minuteMs + Number(minutes) * minuteMs + Number(seconds) * 1000;
    return sign === '-' ? -size : size;
  }

  function textOf(at: number): string {
    const offset = offsetAt(at);
    const minutes = Math.abs(Math.trunc(offset / minuteMs));
    const digits = (value: number) => String(value).padStart(2, '0');
    const shown = `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
    return `${new Date(at + offset).toISOString().slice(0, 19)}${shown}`;
  }

  return { offsetAt, textOf };
}
