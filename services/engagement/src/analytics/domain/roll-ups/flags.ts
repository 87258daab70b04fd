import {
  funnelWindows,
  laterSteps,
  type Count,
  type FunnelWindow,
  type LaterStep,
  type PeopleSet,
} from '../facts/count.ts';
import { measuresOfSearch } from '../facts/measures-of-search.ts';
import { otherTexts } from '../facts/search-text.ts';

/**
 * What follows from several facts, noted on one of them. Of one person: an order `returning`; a view, an addition to a wishlist or an
 * alert `ordered`; a view that led to a step of the funnel. Of several people: a search whose text is `shown`. More facts only ever add
 * flags, so the order in which facts come makes no difference.
 */
export type Flag = 'returning' | 'ordered' | `${LaterStep}:${FunnelWindow}` | 'shown';

interface Act {
  readonly id: string;
  readonly at: Date;
}
interface ActOnProduct extends Act {
  readonly productId: string;
}

/** What one person did, as far as flags come of it; in any order. */
export interface Acts {
  readonly views: readonly ActOnProduct[];
  readonly wishes: readonly ActOnProduct[];
  readonly alerts: readonly ActOnProduct[];
  readonly checkouts: readonly Act[];
  readonly orders: readonly (Act & { readonly products: readonly string[] })[];
}

const dayMs = 24 * 60 * 60 * 1000;
/** For how long after a view an order of the product is one that the view ended in, and the same for an alert. */
export const [viewDays, alertDays] = [30, 7] as const;

/** The flags that follow from what one person did, of each fact that has any, by its id. */
export function flagsOf(acts: Acts): ReadonlyMap<string, ReadonlySet<Flag>> {
  const flags = new Map<string, Set<Flag>>();
  const flag = (id: string, each: Flag) => {
    const found = flags.get(id);
    if (found) found.add(each);
    else flags.set(id, new Set([each]));
  };
  const timesOrdered = orderTimes(acts.orders);
  const flagOrdered = (on: readonly ActOnProduct[], withinMs: number) => {
    for (const { id, at, productId } of on) {
      const next = firstFrom(timesOrdered.get(productId) ?? [], at.getTime());
      if (next - at.getTime() <= withinMs) flag(id, 'ordered');
    }
  };
  flagOrdered(acts.views, viewDays * dayMs);
  flagOrdered(acts.wishes, Number.MAX_SAFE_INTEGER);
  flagOrdered(acts.alerts, alertDays * dayMs);
  const orders = acts.orders.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  for (const { id } of orders.slice(1)) flag(id, 'returning');

  const timesOfSteps = {
    wishlisted: timesOf(acts.wishes),
    checkout: timesOf(acts.checkouts),
    ordered: timesOf(orders),
  };
  for (const { id, at } of acts.views) {
    let time = at.getTime();
    for (const step of laterSteps) {
      time = firstFrom(timesOfSteps[step], time);
      for (const days of funnelWindows) if (time - at.getTime() <= days * dayMs) flag(id, `${step}:${days}`);
    }
  }
  return flags;
}

/** A fact that can have flags, as far as it says what they count for. */
export type Flaggable =
  | { readonly act: 'view' | 'wish' | 'alert'; readonly productId: string }
  | { readonly act: 'order'; readonly currency: string | null }
  | { readonly act: 'search'; readonly words: string | null; readonly results: number };

/** What a flag adds to the sums of the moment and the segment of the fact that has it. */
export function countsOfFlag(fact: Flaggable, flag: Flag): readonly Count[] {
  if (fact.act === 'order')
    return flag === 'returning' && fact.currency !== null
      ? [{ family: 'sales', of: fact.currency, measures: { returning: 1 } }]
      : [];
  if (fact.act === 'search') return flag === 'shown' && fact.words !== null ? movedTo(fact.words, fact.results) : [];
  if (flag !== 'ordered') return [];
  switch (fact.act) {
    case 'view':
      return [{ family: 'productInterest', of: fact.productId, measures: { viewsOrdered: 1 } }];
    case 'wish':
      return [{ family: 'wishlists', of: '', measures: { ordered: 1 } }];
    case 'alert':
      return [{ family: 'wishlists', of: '', measures: { alertsOrdered: 1 } }];
  }
}

/** From the searches whose text is not shown. */
function movedTo(words: string, results: number): readonly Count[] {
  const measures = measuresOfSearch(results);
  const less = Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, -value]));
  return [
    { family: 'searches', of: words, measures },
    { family: 'searches', of: otherTexts, measures: less },
  ];
}

/** The sets to which a flag adds the person of the fact that has it. */
export function setsOfFlag(flag: Flag): readonly PeopleSet[] {
  if (flag === 'returning' || flag === 'ordered' || flag === 'shown') return [];
  return [{ set: `reached:${flag}`, of: '' }];
}

/** When each product was ordered, the earliest first. */
function orderTimes(orders: Acts['orders']): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  for (const { at, products } of orders)
    for (const product of new Set(products)) {
      const found = times.get(product);
      if (found) found.push(at.getTime());
      else times.set(product, [at.getTime()]);
    }
  for (const each of times.values()) each.sort((a, b) => a - b);
  return times;
}

function timesOf(acts: readonly Act[]): readonly number[] {
  return acts.map(({ at }) => at.getTime()).sort((a, b) => a - b);
}

/** The first of the sorted times that is not before `time`; Infinity where there is none. */
function firstFrom(times: readonly number[], time: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? Infinity) < time) from = middle + 1;
    else to = middle;
  }
  return times[from] ?? Infinity;
}
