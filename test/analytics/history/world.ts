import { idFromUuid, type IdPrefix } from '@storefront/contracts';
import type { Random } from '../../faults/random.ts';
import { clockOf } from '../expected/calendar.ts';

/** The zones whose days a history has events at the edges of. */
export const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const;
export const currencies = ['EUR', 'USD'] as const;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** What clients with a token tell is refused if it is older than 30 days. */
const clientDays = 29;

/** A user of a history. The tier of a user may change: an event says which one it was. */
export interface User {
  readonly userId: string;
  readonly role: 'retail' | 'trade';
  readonly email: string;
}

/** What a history happens to, and when. */
export interface World {
  readonly random: Random;
  readonly users: readonly User[];
  readonly anonymousIds: readonly string[];
  readonly products: readonly string[];
  readonly campaigns: readonly string[];
  /** Nothing happens from then on. */
  readonly end: number;
  readonly id: (prefix: IdPrefix) => string;
  readonly uuid: () => string;
  /** A moment of the history; more often than not close to where a day, a month or a year begins, or clocks are changed. */
  readonly moment: () => number;
  /** As `moment`, of the days that clients with a token may tell of. */
  readonly recently: () => number;
  /** A moment of the day that begins with the end: clients without a token may tell of no more than a day before or ahead. */
  readonly today: () => number;
  /** What visitors without a token do happens before. */
  readonly endOfVisitors: number;
  /** So many hours, minutes or milliseconds later; often exactly whole days. */
  readonly later: (moment: number) => number;
  readonly chance: (share: number) => boolean;
}

/** Makes what a history of so many days before `end` happens to. */
export function worldOf(random: Random, { end, days, people }: { end: number; days: number; people: number }): World {
  const hex = (length: number) => Array.from({ length }, () => random.between(0, 15).toString(16)).join('');
  const uuid = () => `0${hex(7)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}`;
  const id = (prefix: IdPrefix) => idFromUuid(prefix, uuid());
  const several = <Item>(length: number, make: (at: number) => Item) => Array.from({ length }, (_, at) => make(at));
  const chance = (share: number) => random.next() < share;
  return {
    random,
    end,
    id,
    uuid,
    chance,
    users: several(people, (at) => ({
      userId: id('user'),
      role: at % 3 === 0 ? 'trade' : 'retail',
      email: `person-${at}@example.com`,
    })),
    anonymousIds: several(people, uuid),
    products: several(12, () => id('prod')),
    campaigns: several(4, () => id('camp')),
    moment: momentsOf(random, end - days * dayMs, end),
    recently: momentsOf(random, end - clientDays * dayMs, end),
    // Not at once, so that a test may last past midnight.
    today: momentsOf(random, end + hourMs, end + dayMs),
    endOfVisitors: end + dayMs,
    later(moment) {
      const exact = [0, 1, minuteMs, dayMs, 7 * dayMs, 7 * dayMs + 1, 30 * dayMs, 30 * dayMs + 1];
      const most = random.pick([hourMs, 12 * hourMs, 9 * dayMs, 40 * dayMs]);
      return moment + (chance(0.15) ? random.pick(exact) : random.between(0, most));
    },
  };
}

function momentsOf(random: Random, begin: number, end: number): () => number {
  const edges = edgesOf(begin, end);
  const exact = [-1, 0, 1, -hourMs, hourMs - 1, hourMs];
  return () => {
    if (random.next() < 0.4) return random.between(begin, end - 1);
    const edge = random.pick(edges);
    const moment = edge + (random.next() < 0.3 ? random.pick(exact) : random.between(-2 * hourMs, 2 * hourMs));
    return Math.min(Math.max(moment, begin), end - 1);
  };
}

/** Where a new date begins in one of the zones with a month or a year, or the clocks are put on or back. */
function edgesOf(begin: number, end: number): number[] {
  const found = zones.flatMap((zone) => {
    const clock = clockOf(zone);
    const edges: number[] = [];
    let before = clock(begin - (begin % (hourMs / 2)));
    for (let moment = begin - (begin % (hourMs / 2)); moment < end; moment += hourMs / 2) {
      const now = clock(moment);
      const [isYear, isMonth] = [4, 7].map((length) => now.date.slice(0, length) !== before.date.slice(0, length));
      // Each change of the clocks and of the year several times, as there are few.
      if (now.offset !== before.offset || isYear) edges.push(moment, moment, moment, moment);
      else if (isMonth) edges.push(moment);
      before = now;
    }
    return edges;
  });
  return found.length > 0 ? found : [begin];
}
