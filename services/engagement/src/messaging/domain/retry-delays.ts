const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// About a day in all: a mail server that defers a mail for longer does not want it.
const deferralDelays = [
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
 * How many milliseconds to wait after a mail server deferred a mail (4xx) for the `times`-th time; null where it is
 * time to give up. `random`, from 0 to 1, spreads the delays by a tenth to either side.
 */
export function deferralDelay(times: number, random: number): number | null {
  const delay = deferralDelays[times - 1];
  return delay === undefined ? null : Math.round(delay * (0.9 + random * 0.2));
}

/**
 * How many milliseconds to wait after the mail server could not be reached `times` times in a row: at most 5 s, since
 * all mail waits for its return.
 */
export function unreachableDelay(times: number): number {
  return Math.min(5 * second, second * 2 ** (times - 1));
}

// More than mails that break a conversation come in a row, and few enough for people to retry.
const lossesBeforePause = 20;

/**
 * How many milliseconds to send nothing after `losses` conversations in a row broke off; null where that may be due to
 * their mails. At most a minute: each further mail that is tried may end in doubt.
 */
export function lossDelay(losses: number): number | null {
  const beyond = losses - lossesBeforePause;
  return beyond < 0 ? null : Math.min(minute, second * 2 ** beyond);
}

/**
 * How many milliseconds to wait after the first, second … attempt that ended in doubt. A sender can be halted for the
 * first one, and still record what the mail server has answered.
 */
export type DoubtDelays = readonly number[];

/**
 * How many milliseconds to wait after the `times`-th attempt of a mail that ended in doubt; null where it is time to
 * leave the decision to a person. Each further attempt may give the recipient the mail once more.
 */
export function doubtDelay(delays: DoubtDelays, times: number): number | null {
  return delays[times - 1] ?? null;
}
