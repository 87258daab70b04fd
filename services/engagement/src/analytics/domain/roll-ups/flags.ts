import { funnelWindows, type Count, type FunnelWindow, type LaterStep, type PeopleSet } from '../facts/count.ts';
import { measuresOfSearch, otherTexts } from '../facts/search-text.ts';

/**
 * A note on a fact that follows from several facts together. Facts of one person: an order is `returning`; a view, an
 * addition to a wishlist or an alert is `ordered`; a view or a change of a cart led to a step of the funnel. Facts of several people: a
 * search has a text that is `shown`. New facts can only add flags, so the order in which facts arrive makes no
 * difference.
 */
export type Flag = 'returning' | 'ordered' | `${LaterStep}:${FunnelWindow}` | 'shown';

interface Act {
  readonly id: string;
  readonly at: Date;
}
interface ActOnProduct extends Act {
  readonly productId: string;
}

/** What one person did, as far as flags need it. The acts are in any order. */
export interface Acts {
  readonly views: readonly ActOnProduct[];
  readonly wishes: readonly ActOnProduct[];
  readonly alerts: readonly ActOnProduct[];
  readonly carts: readonly Act[];
  readonly checkouts: readonly Act[];
  readonly orders: readonly (Act & { readonly products: readonly string[] })[];
  readonly shipments: readonly Act[];
  readonly deliveries: readonly Act[];
}

const dayMs = 24 * 60 * 60 * 1000;
/**
 * An order within this many days after a view of the same product counts as a result of the view. The second number is
 * the same for alerts.
 */
export const [viewDays, alertDays] = [30, 7] as const;

/**
 * Finds the flags that follow from what one person did. Returns the flags by the id of the fact; facts without flags
 * are left out.
 */
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

  const flagSteps = (starts: readonly Act[], steps: readonly (readonly [LaterStep, readonly number[]])[]) => {
    for (const { id, at } of starts) {
      let time = at.getTime();
      for (const [step, times] of steps) {
        time = firstFrom(times, time);
        for (const days of funnelWindows) if (time - at.getTime() <= days * dayMs) flag(id, `${step}:${days}`);
      }
    }
  };
  const [timesCheckedOut, timesBought] = [timesOf(acts.checkouts), timesOf(orders)];
  flagSteps(acts.views, [
    ['wishlisted', timesOf(acts.wishes)],
    ['checkout', timesCheckedOut],
    ['ordered', timesBought],
  ]);
  flagSteps(acts.carts, [
    ['checkedOut', timesCheckedOut],
    ['bought', timesBought],
    ['shipped', timesOf(acts.shipments)],
    ['arrived', timesOf(acts.deliveries)],
  ]);
  return flags;
}

/** The parts of a fact that its flags count. */
export type Flaggable =
  | { readonly act: 'view' | 'wish' | 'alert'; readonly productId: string }
  | { readonly act: 'cart' }
  | { readonly act: 'order'; readonly currency: string | null }
  | { readonly act: 'search'; readonly words: string | null; readonly results: number };

/** What a flag adds to the sums, at the moment and in the segment of the flagged fact. */
export function countsOfFlag(fact: Flaggable, flag: Flag): readonly Count[] {
  if (fact.act === 'order')
    return flag === 'returning' && fact.currency !== null
      ? [{ family: 'sales', of: fact.currency, measures: { returning: 1 } }]
      : [];
  if (fact.act === 'search') return flag === 'shown' && fact.words !== null ? movedTo(fact.words, fact.results) : [];
  if (fact.act === 'cart' || flag !== 'ordered') return [];
  switch (fact.act) {
    case 'view':
      return [{ family: 'productInterest', of: fact.productId, measures: { viewsOrdered: 1 } }];
    case 'wish':
      return [{ family: 'wishlists', of: '', measures: { ordered: 1 } }];
    case 'alert':
      return [{ family: 'wishlists', of: '', measures: { alertsOrdered: 1 } }];
  }
}

/** Moves a search from the searches whose text is not shown to the searches for that text. */
function movedTo(words: string, results: number): readonly Count[] {
  const measures = measuresOfSearch(results);
  const less = Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, -value]));
  return [
    { family: 'searches', of: words, measures },
    { family: 'searches', of: otherTexts, measures: less },
  ];
}

/** The sets of people to which a flag adds the person of the flagged fact. */
export function setsOfFlag(flag: Flag): readonly PeopleSet[] {
  if (flag === 'returning' || flag === 'ordered' || flag === 'shown') return [];
  return [{ set: `reached:${flag}`, of: '' }];
}

/** When each product was ordered, as a list of times with the earliest first. */
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

/** The first of the sorted times that is `time` or later. Infinity where there is none. */
function firstFrom(times: readonly number[], time: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? Infinity) < time) from = middle + 1;
    else to = middle;
  }
  return times[from] ?? Infinity;
}
