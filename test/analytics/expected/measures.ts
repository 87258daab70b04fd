import { engagementHttp } from '@storefront/contracts';
import { daysBetween } from './calendar.ts';
import type { FollowUps } from './follow-ups.ts';
import type { Happened, What } from './happened.ts';
import type { ReportName } from './question.ts';

export type Measures = Readonly<Record<string, number | null>>;

/** Measures that a report states as money, in the currency that was requested; here they are minor units. */
export const amounts: ReadonlySet<string> = new Set(
  Object.entries(engagementHttp.measureSchemas).flatMap(([name, schema]) =>
    schema.safeParse({ amount: 0, currency: 'EUR' }).success ? [name] : [],
  ),
);

/** What one row, or the totals, of a report are made of. */
export interface Part {
  /** What happened in its time and its segments, of its thing. */
  readonly happened: readonly Happened[];
  /** What was owed before its end. */
  readonly owedBefore: readonly Happened[];
  /** The date of the shop at its end, now where it is not over. */
  readonly lastDate: string;
  readonly currency: string;
  /** Of the funnel, in days. */
  readonly window: number;
  readonly followUps: FollowUps;
}

/** The measures of a report, by plain counting. */
export function measuresOf(report: ReportName, part: Part): Measures {
  const { followUps, currency } = part;
  const all = (what: What) => part.happened.filter((each) => each.what === what);
  const inCurrency = (what: What) => all(what).filter((each) => each.currency === currency);
  const count = (what: What) => all(what).length;
  const people = (what: What) => new Set(all(what).flatMap(({ who }) => who ?? [])).size;
  const sum = (some: readonly Happened[], amount: string) =>
    some.reduce((total, { amounts }) => total + (amounts[amount] ?? 0), 0);
  const sales = inCurrency('sale');
  const cancelled = inCurrency('sale cancelled');
  const less = (amount: string) => sum(sales, amount) - sum(cancelled, amount);
  const orders = sales.length - cancelled.length;
  const net = less('net');
  const averageOrder = orders > 0 ? Math.round(net / orders) : null;
  const placed = inCurrency('order placed');
  const [redeemed, released] = [inCurrency('redeemed'), inCurrency('released')];
  // A redemption of several campaigns is one redemption, of one order.
  const each = (some: readonly Happened[]) => [...new Map(some.map((one) => [one.id, one])).values()];
  const redemptions = each(redeemed).length - each(released).length;
  const withdrawn = inCurrency('withdrawn');
  const discountGiven = sum(redeemed, 'discount') - sum([...withdrawn, ...released], 'discount');
  const orderValue = sum(each(redeemed), 'orderValue') - sum(each([...withdrawn, ...released]), 'orderValue');

  const reports: Record<ReportName, () => Measures> = {
    summary: () => ({
      registrations: count('begun'),
      verified: count('verified'),
      tradeApplications: count('applied'),
      approved: count('approved'),
      activeUsers: people('active'),
      orders,
      gross: less('gross'),
      discount: less('discount'),
      net,
      averageOrder,
      redemptions,
      notificationsDelivered: count('delivered'),
      wishlistAdditions: count('wished'),
      invoiced: sum(inCurrency('invoiced'), 'total'),
      paid: sum(inCurrency('paid'), 'total'),
      overdue: sum(inCurrency('overdue'), 'balance'),
    }),
    registrations: () => ({
      begun: count('begun'),
      verified: count('verified'),
      shareVerified: share(count('verified'), count('begun')),
      applied: count('applied'),
      approved: count('approved'),
      rejected: count('rejected'),
      medianHours: median([...all('approved'), ...all('rejected')], 'hours'),
    }),
    sales: () => {
      const known = sales.filter(({ who }) => who !== null);
      return {
        orders,
        units: less('units'),
        gross: less('gross'),
        discount: less('discount'),
        net,
        averageOrder,
        returningShare: share(known.filter(followUps.isReturning).length, known.length),
      };
    },
    orders: () => ({
      placed: placed.length,
      unitsPlaced: sum(placed, 'units'),
      placedValue: sum(placed, 'total'),
      averageValue: placed.length === 0 ? null : Math.round(sum(placed, 'total') / placed.length),
      cancelled: cancelled.length,
      cancelledValue: sum(cancelled, 'total'),
      refunded: sum(inCurrency('order refunded'), 'amount'),
      unitsReturned: sum(inCurrency('order returned'), 'units'),
      givenUp: inCurrency('order given up').length,
    }),
    products: () => ({
      views: count('viewed'),
      wishlists: count('wished'),
      units: sum(inCurrency('sold'), 'units') - sum(inCurrency('taken back'), 'units'),
      revenue: sum(inCurrency('sold'), 'revenue') - sum(inCurrency('taken back'), 'revenue'),
      viewsOrderedShare: share(all('viewed').filter((view) => followUps.isOrdered(view, 30)).length, count('viewed')),
    }),
    variants: () => {
      const [sold, back] = [inCurrency('variant sold'), inCurrency('variant taken back')];
      return {
        wishlists: count('variant wished'),
        units: sum(sold, 'units') - sum(back, 'units'),
        revenue: sum(sold, 'revenue') - sum(back, 'revenue'),
      };
    },
    campaigns: () => ({
      redemptions,
      customers: people('redeemed'),
      discount: discountGiven,
      orderValue,
      valuePerDiscount: discountGiven > 0 ? rounded(orderValue / discountGiven, 100) : null,
    }),
    notifications: () => ({
      requested: count('requested'),
      delivered: count('delivered'),
      failed: count('failed'),
      suppressed: count('suppressed'),
      read: count('read'),
      readShare: share(count('read'), count('delivered')),
      medianMinutesToRead: median(all('read'), 'minutes'),
    }),
    wishlists: () => ({
      additions: count('wished'),
      removals: count('unwished'),
      wishedAndOrdered: all('wished').filter((wish) => followUps.isOrdered(wish, Number.POSITIVE_INFINITY)).length,
      alertsRaised: count('alerted'),
      alertsOrdered: all('alerted').filter((alert) => followUps.isOrdered(alert, 7)).length,
    }),
    funnel: () => {
      const reached = (start: What, ...steps: What[]) => {
        const known = all(start).filter(({ who }) => who !== null);
        const got = known.filter((each) => followUps.stepsAfter(each, steps, part.window) === steps.length);
        return new Set(got.map(({ who }) => who)).size;
      };
      const viewed = reached('viewed');
      const wishlisted = reached('viewed', 'wished');
      const checkout = reached('viewed', 'wished', 'checkout');
      const ordered = reached('viewed', 'wished', 'checkout', 'ordered');
      const carted = reached('carted');
      const checkedOut = reached('carted', 'checkout');
      const bought = reached('carted', 'checkout', 'ordered');
      const shipped = reached('carted', 'checkout', 'ordered', 'shipped');
      const arrived = reached('carted', 'checkout', 'ordered', 'shipped', 'arrived');
      return {
        viewed,
        wishlisted,
        checkout,
        ordered,
        wishlistedShare: share(wishlisted, viewed),
        checkoutShare: share(checkout, wishlisted),
        orderedShare: share(ordered, checkout),
        carted,
        checkedOut,
        bought,
        shipped,
        arrived,
        checkedOutShare: share(checkedOut, carted),
        boughtShare: share(bought, checkedOut),
        shippedShare: share(shipped, bought),
        arrivedShare: share(arrived, shipped),
      };
    },
    searches: () => ({
      times: count('searched'),
      withoutResultShare: share(
        all('searched').filter(({ amounts }) => amounts['results'] === 0).length,
        count('searched'),
      ),
    }),
    receivables: () => {
      const owed = part.owedBefore.filter((each) => each.currency === currency);
      const open = (least: number, most: number) =>
        sum(
          owed.filter(({ of: dueOn }) => {
            const days = daysBetween(dueOn, part.lastDate);
            return least <= days && days <= most;
          }),
          'delta',
        );
      return {
        invoiced: sum(inCurrency('invoiced'), 'total'),
        paid: sum(inCurrency('paid'), 'total'),
        openCurrent: open(Number.NEGATIVE_INFINITY, 0),
        open1To30: open(1, 30),
        open31To60: open(31, 60),
        open61To90: open(61, 90),
        openOver90: open(91, Number.POSITIVE_INFINITY),
        medianDaysToPay: median(inCurrency('paid'), 'days'),
      };
    },
    // No event of a history is of a robot.
    robots: () => ({ events: 0 }),
  };
  return reports[report]();
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? rounded(part / whole, 10_000) : null;
}

/** The value in the middle, or between the two in the middle, of those that are known. */
function median(some: readonly Happened[], amount: string): number | null {
  const values = some.flatMap(({ amounts }) => amounts[amount] ?? []).toSorted((one, other) => one - other);
  const [low, high] = [values[Math.floor((values.length - 1) / 2)], values[Math.floor(values.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
