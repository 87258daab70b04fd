const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// The delays add up to about a day. A mail server that defers a mail for longer does not want the mail.
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
 * Returns how many milliseconds to wait after a mail server deferred a mail (4xx) for the `times`-th time; null where
 * it is time to give up. `random`, from 0 to 1, varies the delay by up to 10 % up or down, so that not all mails retry
 * at once.
 */
export function deferralDelay(times: number, random: number): number | null {
  const delay = deferralDelays[times - 1];
  return delay === undefined ? null : Math.round(delay * (0.9 + random * 0.2));
}

/**
 * Returns how many milliseconds to wait after the mail server could not be reached `times` times in a row. The most is
 * 5 s, since all mail waits until the server is back.
 */
export function unreachableDelay(times: number): number {
  return Math.min(5 * second, second * 2 ** (times - 1));
}

// Sending pauses after this many lost connections in a row. Single bad mails do not cause so many in a row, and people
// can still retry this number of mails by hand.
const lossesBeforePause = 20;

/**
 * Returns for how many milliseconds no mail is sent after `losses` lost connections in a row; null where single mails
 * may be the cause. The most is a minute. The pauses limit how many mails end in doubt.
 */
export function lossDelay(losses: number): number | null {
  const beyond = losses - lossesBeforePause;
  return beyond < 0 ? null : Math.min(minute, second * 2 ** beyond);
}

/**
 * How many milliseconds to wait after the first, second … attempt that ended in doubt. If a sender is halted for less
 * than the first delay, it can still record the mail server's answer.
 */
export type DoubtDelays = readonly number[];

/**
 * Returns how many milliseconds to wait after a mail's `times`-th attempt that ended in doubt; null where a person must
 * decide. Each further attempt may give the recipient the same mail once more.
 */
export function doubtDelay(delays: DoubtDelays, times: number): number | null {
  return delays[times - 1] ?? null;
}
