import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/arbitrary-carts.ts';
import {
  customersIn,
  customersOf,
  dayChangesOf,
  groups,
  type CampaignDay,
  type CampaignRedemption,
  type CustomerDays,
  type CustomerOf,
  type Group,
  type Sums,
} from './campaign-days.ts';

type Made = Omit<CampaignRedemption, 'redemptions' | 'released'>;

const making = (made: Made): CampaignRedemption => ({ ...made, redemptions: 1, released: 0 });
const givingBack = ({ discount, orderValue, ...made }: Made): CampaignRedemption => ({
  ...made,
  redemptions: -1,
  released: 1,
  discount: -discount,
  orderValue: -orderValue,
});
const takingAgain = (made: Made): CampaignRedemption => ({ ...made, redemptions: 1, released: -1 });

const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-12-31', '2027-01-01'];
const campaigns = ['camp_1', 'camp_2'];

const arbitraryMade: fc.Arbitrary<Made> = fc.record({
  campaignId: fc.constantFrom(...campaigns),
  day: fc.constantFrom(...days),
  segment: fc.constantFrom('retail' as const, 'trade' as const),
  userId: fc.constantFrom('user_1', 'user_2', null),
  discount: fc.integer({ min: 1, max: 500 }),
  orderValue: fc.integer({ min: 0, max: 9000 }),
});
/** Some of the redemptions are given back later, and some of those are taken again at last; all come in batches. */
const arbitraryBatches = fc
  .array(
    fc.record({
      made: arbitraryMade,
      givenBackAt: fc.option(fc.nat(20)),
      isTakenAgain: fc.boolean(),
    }),
    { maxLength: 25, size: 'max' },
  )
  .chain((all) => {
    const first = all.map(({ made }) => making(made));
    const steps = [...first];
    for (const [index, { made, givenBackAt }] of all.entries()) {
      const isMadeAt = steps.findIndex((step) => step === first[index]);
      if (givenBackAt !== null) steps.splice(Math.max(isMadeAt + 1, steps.length - givenBackAt), 0, givingBack(made));
    }
    for (const { made, givenBackAt, isTakenAgain } of all)
      if (givenBackAt !== null && isTakenAgain) steps.push(takingAgain(made));
    const isKept = ({ givenBackAt, isTakenAgain }: (typeof all)[number]) => givenBackAt === null || isTakenAgain;
    const kept = all.filter(isKept).map(({ made }) => made);
    const released = all.filter((one) => !isKept(one)).map(({ made }) => made);
    return fc.integer({ min: 1, max: 5 }).map((size) => ({ kept, released, batches: inBatches(steps, size) }));
  });

function inBatches(steps: readonly CampaignRedemption[], size: number): CampaignRedemption[][] {
  return Array.from({ length: Math.ceil(steps.length / size) }, (_, at) => steps.slice(at * size, (at + 1) * size));
}

/** Keeps days and customers as the database does. */
function createStore() {
  const days = new Map<string, CampaignDay>();
  const customers = new Map<string, CustomerDays>();
  const keyOf = ({ campaignId, userId }: CustomerOf) => `${campaignId} ${userId}`;
  return {
    days: (campaignId: string) => [...days.values()].filter((day) => day.campaignId === campaignId),
    customers,
    count(redemptions: readonly CampaignRedemption[]) {
      const known = customersOf(redemptions).flatMap((customer) => {
        const stored = customers.get(keyOf(customer));
        return stored ? [{ ...customer, days: stored }] : [];
      });
      const changes = dayChangesOf(redemptions, known);
      for (const change of changes.days) {
        const key = `${change.campaignId} ${change.day}`;
        days.set(key, together(days.get(key), change));
      }
      for (const customer of changes.customers) customers.set(keyOf(customer), customer.days);
    },
  };
}

function together(stored: CampaignDay | undefined, change: CampaignDay): CampaignDay {
  if (!stored) return change;
  const sum = (one: Sums, other: Sums): Sums => ({
    redemptions: one.redemptions + other.redemptions,
    released: one.released + other.released,
    discount: one.discount + other.discount,
    orderValue: one.orderValue + other.orderValue,
  });
  const merged = (group: Group) => {
    const counts = new Map(stored.customers[group]);
    for (const [earlier, count] of change.customers[group]) counts.set(earlier, (counts.get(earlier) ?? 0) + count);
    return counts;
  };
  const { retail, trade } = stored.sums;
  return {
    ...stored,
    sums: { retail: sum(retail, change.sums.retail), trade: sum(trade, change.sums.trade) },
    customers: { all: merged('all'), retail: merged('retail'), trade: merged('trade') },
  };
}

const amounts = (redemptions: readonly Made[], of: 'discount' | 'orderValue') =>
  redemptions.reduce((sum, redemption) => sum + redemption[of], 0);

it('has the sums of the redemptions that are left, on the days on which they were made', () => {
  fc.assert(
    fc.property(arbitraryBatches, arbitraryMade, ({ kept, released, batches }, { campaignId, day, segment }) => {
      const store = createStore();
      for (const batch of batches) store.count(batch);
      const isHere = (made: Made) => made.campaignId === campaignId && made.day === day && made.segment === segment;
      const here = kept.filter(isHere);
      const nothing = { redemptions: 0, released: 0, discount: 0, orderValue: 0 };
      expect(store.days(campaignId).find((each) => each.day === day)?.sums[segment] ?? nothing).toEqual({
        redemptions: here.length,
        released: released.filter(isHere).length,
        discount: amounts(here, 'discount'),
        orderValue: amounts(here, 'orderValue'),
      });
    }),
    runs,
  );
});

it('counts each customer of any time once, in a segment and in both', () => {
  fc.assert(
    fc.property(arbitraryBatches, fc.constantFrom(...campaigns), ({ kept, batches }, campaignId) => {
      const store = createStore();
      for (const batch of batches) store.count(batch);
      for (const [index, from] of days.entries())
        for (const last of days.slice(index))
          for (const group of groups) {
            const isAsked = ({ day }: { readonly day: string }) => from <= day && day <= last;
            const isOne = (made: Made) =>
              made.campaignId === campaignId && isAsked(made) && (group === 'all' || made.segment === group);
            const users = new Set(kept.filter(isOne).flatMap(({ userId }) => userId ?? []));
            expect(customersIn(store.days(campaignId).filter(isAsked), group, from)).toBe(users.size);
          }
    }),
    runs,
  );
});

it('keeps no count of 0 of a customer', () => {
  fc.assert(
    fc.property(arbitraryBatches, ({ batches }) => {
      const store = createStore();
      for (const batch of batches) store.count(batch);
      for (const { retail, trade } of store.customers.values())
        for (const count of [...retail.values(), ...trade.values()]) expect(count).toBeGreaterThan(0);
    }),
    runs,
  );
});
