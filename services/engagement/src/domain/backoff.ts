const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// About a day in all: what a mail server defers for longer than that, it does not want.
const deferrals = [
  second,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  8 * hour,
];

/**
 * How many milliseconds to wait after a mail server put the mail off for the `times`-th time; null when it is time to give
 * up. `random` from 0 to 1 spreads them by a tenth to either side.
 */
export function deferralDelay(times: number, random: number): number | null {
  const delay = deferrals[times - 1];
  return delay === undefined ? null : Math.round(delay * (0.9 + random * 0.2));
}

/**
 * How long to wait before the mail server is tried again that could not be reached the last `times` times: never more
 * than 5 s, for its return is what everybody waits for.
 */
export function unreachableDelay(times: number): number {
  return Math.min(5 * second, second * 2 ** (times - 1));
}
