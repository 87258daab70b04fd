import { randomOf, type Random } from './random.ts';

/** A user of the history. Who registered on which day follows from the seed alone, so that no list of users is needed. */
export interface HistoryUser {
  readonly userId: string;
  readonly segment: 'retail' | 'trade';
  /** The day of the registration, in days since 1970-01-01. */
  readonly day: number;
  readonly fate: Fate;
}

/** How far the registration comes. Of retail users nobody decides. */
export type Fate = 'begun' | 'verified' | 'approved' | 'rejected';

const msOfDay = 86_400_000;
/** How long a customer has been one on average, in days. */
const meanAge = 140;
/** After so many days every application is decided. */
const settledDays = 4;
const mostTries = 20;

/** The user who was the `nth` to register on the day. */
export function userOf(seed: string, segment: HistoryUser['segment'], day: number, nth: number): HistoryUser {
  const random = randomOf(seed, 'user', segment, day, nth);
  return { userId: random.id('user', new Date(day * msOfDay)), segment, day, fate: fateOf(segment, random) };
}

function fateOf(segment: HistoryUser['segment'], random: Random): Fate {
  if (!random.happens(0.88)) return 'begun';
  if (segment === 'retail') return 'verified';
  const draw = random.next();
  return draw < 0.78 ? 'approved' : draw < 0.93 ? 'rejected' : 'verified';
}

/**
 * Somebody who could already buy on the day; newer customers come more often than old ones. null where chance finds nobody.
 * `newcomers` is how many register on a day.
 */
export function customerOn(
  day: number,
  { seed, segment, random, newcomers }: Drawing & { readonly newcomers: (day: number) => number },
): HistoryUser | null {
  for (let left = mostTries; left > 0; left -= 1) {
    const registered = day - settledDays - Math.floor(-Math.log(1 - random.next()) * meanAge);
    const count = newcomers(registered);
    if (count === 0) continue;
    const user = userOf(seed, segment, registered, random.below(count));
    if (user.fate === (segment === 'trade' ? 'approved' : 'verified')) return user;
  }
  return null;
}

/** The id of an anonymous visitor. One in four may have been there within the last weeks, when `guests` came on each day. */
export function guestOn(
  day: number,
  { seed, random, guests }: Pick<Drawing, 'seed' | 'random'> & { readonly guests: number },
): string {
  const cameFirst = random.happens(0.25) ? day - random.below(20) : day;
  const nth = random.below(Math.ceil(guests));
  return randomOf(seed, 'guest', cameFirst, nth)
    .id('evt', new Date(cameFirst * msOfDay))
    .slice('evt_'.length);
}

interface Drawing {
  readonly seed: string;
  readonly segment: HistoryUser['segment'];
  readonly random: Random;
}
