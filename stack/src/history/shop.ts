import { idFromUuid, type IdPrefix } from '@storefront/contracts';
import type { Random } from './random.ts';

/** A user of a history. Events name the user's tier themselves, because it may change. */
export interface User {
  readonly userId: string;
  readonly role: 'retail' | 'trade';
  readonly email: string;
}

/** What the shop of a history sells, which campaigns it has, and what people search for. */
export interface Goods {
  readonly products: readonly {
    readonly id: string;
    readonly price: number;
    /** The ids of the variants; a product without options has one. */
    readonly variants: readonly string[];
  }[];
  readonly categories: readonly string[];
  readonly campaigns: readonly string[];
  /** Most amounts are in the first currency, some in the second. */
  readonly currencies: readonly [string, string];
  readonly queries: readonly string[];
}

/** The people of a history. */
export interface Crowd {
  readonly users: readonly User[];
  readonly anonymousIds: readonly string[];
}

/** Everything that the stories of a history need: goods, people, random values and times. */
export interface Shop extends Goods, Crowd, Chance {
  /** Returns a random moment for the beginning of a story, in milliseconds since 1970. */
  readonly moment: () => number;
  /** Clients send no events at this moment or later. In milliseconds since 1970. */
  readonly endOfVisits: number;
}

/** Random decisions and ids. The same source of random numbers always gives the same results. */
export interface Chance {
  readonly random: Random;
  readonly chance: (share: number) => boolean;
  readonly id: (prefix: IdPrefix) => string;
  readonly uuid: () => string;
  readonly currencyOf: (goods: Pick<Goods, 'currencies'>) => string;
  /** Returns a random later moment, up to 40 days later. The difference is often exactly whole days. */
  readonly later: (moment: number) => number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export function chanceOf(random: Random): Chance {
  const hex = (length: number) => Array.from({ length }, () => random.between(0, 15).toString(16)).join('');
  const uuid = () => `0${hex(7)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}`;
  const chance = (share: number) => random.next() < share;
  return {
    random,
    chance,
    uuid,
    id: (prefix) => idFromUuid(prefix, uuid()),
    currencyOf: ({ currencies: [most, some] }) => (chance(0.8) ? most : some),
    later(moment) {
      const exact = [0, 1, minuteMs, dayMs, 7 * dayMs, 7 * dayMs + 1, 30 * dayMs, 30 * dayMs + 1];
      const most = random.pick([hourMs, 12 * hourMs, 9 * dayMs, 40 * dayMs]);
      return moment + (chance(0.15) ? random.pick(exact) : random.between(0, most));
    },
  };
}

/** Makes `people` users, a third of them trade users, and the same number of visitors without an account. */
export function crowdOf({ id, uuid }: Chance, people: number): Crowd {
  const several = <Item>(make: (at: number) => Item) => Array.from({ length: people }, (_, at) => make(at));
  return {
    users: several((at) => ({
      userId: id('user'),
      role: at % 3 === 0 ? 'trade' : 'retail',
      email: `person-${at}@example.com`,
    })),
    anonymousIds: several(uuid),
  };
}
