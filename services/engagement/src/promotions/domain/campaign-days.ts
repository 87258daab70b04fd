import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** A day in UTC, such as `2026-11-23`. */
export type Day = string;

type Segment = 'retail' | 'trade';
/** Which customers are counted: those of one segment, or of both. A customer who is in both segments counts once. */
export type Group = 'all' | Segment;
export const groups = ['all', 'retail', 'trade'] as const satisfies readonly Group[];

/** The sums of the redemptions of one day. Amounts are in minor units. */
export const storedSums = z.object({
  redemptions: z.int(),
  released: z.int(),
  discount: z.int(),
  orderValue: z.int(),
});
export type Sums = StateOf<typeof storedSums>;

/** Used in place of the earlier day where the customer had not redeemed before. */
const never = 'never';

/**
 * How many customers redeemed a campaign on one day, grouped by the last earlier day on which they redeemed it, or
 * `never`. In any period, each customer has exactly one first day: the day whose earlier day is before the period. So
 * customers can be counted for any period without their ids.
 */
export type CustomersByEarlierDay = ReadonlyMap<Day, number>;

/** The redemptions of a campaign that were made on one day. */
export interface CampaignDay {
  readonly campaignId: string;
  readonly day: Day;
  readonly sums: Readonly<Record<Segment, Sums>>;
  readonly customers: Readonly<Record<Group, CustomersByEarlierDay>>;
}

/** How many redemptions of a campaign one customer has on each day, never 0, by segment. */
export type CustomerDays = Readonly<Record<Segment, ReadonlyMap<Day, number>>>;

/** A campaign and a customer who redeemed it. */
export interface CustomerOf {
  readonly campaignId: string;
  readonly userId: string;
}

/** The effect of a redemption's change on one of its campaigns. */
export interface CampaignRedemption {
  readonly campaignId: string;
  /** The day when the redemption was made, not when it changed. */
  readonly day: Day;
  readonly segment: Segment;
  /** The customer; null for an order without an account, and for a user who was erased. */
  readonly userId: string | null;
  /** 1 where the redemption counts from now on, -1 where it no longer counts, otherwise 0. */
  readonly redemptions: number;
  /** 1 where the redemption was given back, -1 where it was taken again, otherwise 0. */
  readonly released: number;
  /** By how much the discount changes, in minor units. */
  readonly discount: number;
  /** By how much the value of orders changes, in minor units. */
  readonly orderValue: number;
}

/** The changes to save after redemptions have changed. */
export interface DayChanges {
  /** The changes of each day's counts, which may be negative. */
  readonly days: readonly CampaignDay[];
  /** The customers' days after the change. */
  readonly customers: readonly (CustomerOf & { readonly days: CustomerDays })[];
}

const nothing: Sums = { redemptions: 0, released: 0, discount: 0, orderValue: 0 };
const noDays: CustomerDays = { retail: new Map(), trade: new Map() };

export function dayOf(time: Date): Day {
  return time.toISOString().slice(0, 10);
}

/** Returns the customers whose redemptions these are, each once. */
export function customersOf(redemptions: readonly CampaignRedemption[]): CustomerOf[] {
  const customers = redemptions.flatMap(({ campaignId, userId }) => (userId === null ? [] : [{ campaignId, userId }]));
  return [...new Map(customers.map((customer) => [keyOf(customer), customer])).values()];
}

/**
 * Calculates what to save for these redemptions. `known` contains the days of the customers in `customersOf` before the
 * change.
 */
export function dayChangesOf(
  redemptions: readonly CampaignRedemption[],
  known: readonly (CustomerOf & { readonly days: CustomerDays })[],
): DayChanges {
  const days = new Map<string, { -readonly [Name in keyof CampaignDay]: CampaignDay[Name] }>();
  const customers = new Map(known.map((customer) => [keyOf(customer), customer]));

  function dayFor(campaignId: string, day: Day) {
    const key = `${campaignId} ${day}`;
    const found = days.get(key) ?? {
      campaignId,
      day,
      sums: { retail: nothing, trade: nothing },
      customers: { all: new Map(), retail: new Map(), trade: new Map() },
    };
    days.set(key, found);
    return found;
  }

  for (const one of redemptions) {
    const { campaignId, segment, userId } = one;
    const day = dayFor(campaignId, one.day);
    day.sums = { ...day.sums, [segment]: plus(day.sums[segment], one) };
    if (userId === null) continue;
    const customer = { campaignId, userId };
    const before = customers.get(keyOf(customer))?.days ?? noDays;
    const after = { ...before, [segment]: withOne(before[segment], one) };
    customers.set(keyOf(customer), { ...customer, days: after });
    for (const group of ['all', segment] as const)
      for (const { on, earlier, difference } of differences(daysOf(before, group), daysOf(after, group))) {
        const changed = dayFor(campaignId, on);
        changed.customers = { ...changed.customers, [group]: added(changed.customers[group], earlier, difference) };
      }
  }
  return { days: [...days.values()], customers: [...customers.values()] };
}

/**
 * Counts the customers who redeemed on at least one of the days. `days` must contain every day with redemptions from
 * `from` until some end.
 */
export function customersIn(days: readonly CampaignDay[], group: Group, from: Day): number {
  let customers = 0;
  for (const day of days)
    for (const [earlier, count] of day.customers[group]) if (earlier === never || earlier < from) customers += count;
  return customers;
}

function plus(before: Sums, { redemptions, released, discount, orderValue }: CampaignRedemption): Sums {
  return {
    redemptions: before.redemptions + redemptions,
    released: before.released + released,
    discount: before.discount + discount,
    orderValue: before.orderValue + orderValue,
  };
}

function withOne(days: ReadonlyMap<Day, number>, { day, redemptions }: CampaignRedemption): ReadonlyMap<Day, number> {
  const after = new Map(days);
  const count = (days.get(day) ?? 0) + redemptions;
  if (count > 0) after.set(day, count);
  else after.delete(day);
  return after;
}

/** Returns the days on which a customer has redemptions, in order. */
function daysOf({ retail, trade }: CustomerDays, group: Group): Day[] {
  const days =
    group === 'all' ? new Set([...retail.keys(), ...trade.keys()]) : (group === 'retail' ? retail : trade).keys();
  return [...days].toSorted();
}

/** Returns the changes of the daily counts of customers when one customer's days change from `before` to `after`. */
function differences(before: readonly Day[], after: readonly Day[]) {
  const [left, joined] = [before, after].map((days) => new Map(days.map((on, at) => [on, days[at - 1] ?? never])));
  const isIn = (days: ReadonlyMap<Day, Day> | undefined, on: Day, earlier: Day) => days?.get(on) === earlier;
  const changes: { readonly on: Day; readonly earlier: Day; readonly difference: 1 | -1 }[] = [];
  for (const [on, earlier] of left ?? []) if (!isIn(joined, on, earlier)) changes.push({ on, earlier, difference: -1 });
  for (const [on, earlier] of joined ?? []) if (!isIn(left, on, earlier)) changes.push({ on, earlier, difference: 1 });
  return changes;
}

function added(customers: CustomersByEarlierDay, earlier: Day, difference: number): CustomersByEarlierDay {
  return new Map(customers).set(earlier, (customers.get(earlier) ?? 0) + difference);
}

function keyOf({ campaignId, userId }: CustomerOf): string {
  return `${campaignId} ${userId}`;
}
