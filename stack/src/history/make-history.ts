import type { Event } from '@storefront/contracts';
import type { History, Visit } from './history.ts';
import { randomOf } from './random.ts';
import { usualRhythm, type Rhythm } from './rhythm.ts';
import { chanceOf, crowdOf, type Chance, type Goods, type Shop } from './shop.ts';
import { stories } from './stories.ts';
import { visitOf } from './visits.ts';

export interface HistoryOptions {
  readonly seed: number;
  /** The approximate number of events of services and of clients together. */
  readonly size: number;
  /** The midnight (UTC) at which the history ends. Only events of clients without a token come later, within a day. */
  readonly end: Date;
  readonly days: number;
  /** The products, categories and campaigns of the shop. Invented by default. */
  readonly goods?: Goods;
  readonly rhythm?: Rhythm;
  /** The number of parts of the history. By default there is one part for each day. */
  readonly parts?: number;
  /** How many visits there are for each story, on days that have visits. The default is 1. */
  readonly visitsPerStory?: number;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** Events of clients with a token are refused when they are older than 30 days. */
const visitDays = 29;
/** The average number of events of a story and of a visit. */
const [eventsOfStory, eventsOfVisit] = [2.5, 4];

/**
 * Makes an invented history of a shop, part by part. The events of each part are sorted by time. The same options
 * always give the same history, with the same ids. The events of a day do not depend on `end`, except for visits of the
 * last days. Clients send events only in the last 29 days, because older events of clients are refused.
 */
export function* makeHistory({
  seed,
  size,
  end: endDate,
  days,
  goods,
  rhythm = usualRhythm,
  parts = days,
  visitsPerStory = 1,
}: HistoryOptions): Generator<History> {
  const ofShop = chanceOf(randomOf(seed, 'shop'));
  const people = { ...(goods ?? madeUpGoods(ofShop)), ...crowdOf(ofShop, Math.max(6, Math.round(size / 40))) };
  const end = endDate.getTime();
  const partMs = (days * dayMs) / parts;
  const start = end - parts * partMs;
  const startOfVisits = end - visitDays * dayMs;
  const perDay = size / (eventsOfStory * days + eventsOfVisit * visitsPerStory * Math.min(days, visitDays));
  /** Events that belong to later parts, by the number of the part. */
  const byPart = new Map<number, Event[]>();
  function publish(event: Event): void {
    const time = Date.parse(event.time);
    if (time >= end) return;
    const part = Math.floor((time - start) / partMs);
    const found = byPart.get(part);
    if (found) found.push(event);
    else byPart.set(part, [event]);
  }

  for (let part = 0; part < parts; part += 1) {
    const begin = start + part * partMs;
    const partEnd = begin + partMs;
    // Stories, visits and guests have separate random streams. So the stories of a day stay the same, whether the day
    // has visits or not.
    const shopOf = (stream: string, from: number, to: number): Shop => {
      const random = randomOf(seed, `${stream} ${new Date(begin).toISOString()}`);
      return {
        ...chanceOf(random),
        ...people,
        moment: rhythm.momentsOf(random, from, to),
        endOfVisits: Math.max(end, to),
      };
    };
    const count = (of: number) => Math.round(perDay * (of / dayMs) * rhythm.shareOf(begin));

    const shop = shopOf('stories', begin, partEnd);
    for (let left = count(partMs); left > 0; left -= 1) shop.random.pick(stories)(shop, publish);
    const visits: Visit[] = [];
    if (partEnd > startOfVisits) {
      const from = Math.max(begin, startOfVisits);
      const users = shopOf('visits', from, partEnd);
      for (let left = count(visitsPerStory * (partEnd - from)); left > 0; left -= 1)
        visits.push(...visitOf(users, users.random.pick(users.users), publish));
    }
    if (part === parts - 1) {
      // Guests begin an hour after the end, so that a test may run past midnight.
      const guests = shopOf('guests', end + hourMs, end + dayMs);
      for (let left = count((visitsPerStory / 2) * Math.min(visitDays * dayMs, partMs)); left > 0; left -= 1)
        visits.push(...visitOf(guests, null, publish));
    }
    const events = (byPart.get(part) ?? []).toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
    byPart.delete(part);
    yield { events, visits };
  }
}

function madeUpGoods({ id, random }: Chance): Goods {
  const several = <Item>(length: number, make: () => Item) => Array.from({ length }, make);
  return {
    products: several(12, () => ({
      id: id('prod'),
      price: random.between(1, 20_000),
      variants: several(random.between(1, 3), () => id('var')),
    })),
    categories: several(5, () => id('cat')),
    campaigns: several(4, () => id('camp')),
    currencies: ['EUR', 'USD'],
    queries: ['green tea', 'Green  Tea', 'kettle', 'Überzug', '=1+1', 'İstanbul', 'ISTANBUL', 'other'],
  };
}
