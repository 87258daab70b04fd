import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/arbitrary-carts.ts';
import { partsWithinOrder, type RedeemedPart } from './parts.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const part = (campaignId: string, amount: number, of: RedeemedPart['of'] = 'items'): RedeemedPart => ({
  campaignId,
  code: null,
  amount,
  of,
});
const amountsOf = (parts: readonly RedeemedPart[]) => parts.map(({ campaignId, amount }) => [campaignId, amount]);

it('leaves for shipping no more than shipping cost', () => {
  const held = { currency: 'EUR', parts: [part('camp_a', 300), part('camp_b', 10_000_000, 'shipping')] };
  expect(amountsOf(partsWithinOrder(held, { discount: null, shipping: eur(495) }))).toEqual([
    ['camp_a', 300],
    ['camp_b', 495],
  ]);
});

it('changes nothing by what an order does not say, or says in another currency', () => {
  const held = { currency: 'EUR', parts: [part('camp_a', 300)] };
  for (const discount of [null, { amount: 1, currency: 'GBP' }])
    expect(partsWithinOrder(held, { discount, shipping: null })).toEqual(held.parts);
});

it('leaves what the order states and never more than was held, for each campaign and in all', () => {
  const arbitraryPart = fc.record({
    amount: fc.integer({ min: 0, max: 5000 }),
    of: fc.constantFrom('items' as const, 'shipping' as const),
  });
  const arbitraryMoney = fc.option(fc.integer({ min: 0, max: 8000 }).map(eur));
  fc.assert(
    fc.property(
      fc.array(arbitraryPart, { maxLength: 5 }),
      arbitraryMoney,
      arbitraryMoney,
      (some, discount, shipping) => {
        const parts = some.map(({ amount, of }, at) => part(`camp_${at}`, amount, of));
        const left = partsWithinOrder({ currency: 'EUR', parts }, { discount, shipping });
        const sum = (those: readonly RedeemedPart[]) => those.reduce((total, { amount }) => total + amount, 0);
        const ofShipping = (those: readonly RedeemedPart[]) => those.filter(({ of }) => of === 'shipping');
        const formerly = new Map(parts.map(({ campaignId, amount }) => [campaignId, amount]));
        expect(left).toHaveLength(parts.length);
        for (const { campaignId, amount } of left) expect(amount).toBeLessThanOrEqual(formerly.get(campaignId) ?? -1);
        const items = sum(parts) - sum(ofShipping(parts));
        const most = items + Math.min(sum(ofShipping(parts)), shipping?.amount ?? Infinity);
        expect(sum(left)).toBe(Math.min(most, discount?.amount ?? Infinity));
        expect(sum(ofShipping(left))).toBeLessThanOrEqual(shipping?.amount ?? Infinity);
      },
    ),
    runs,
  );
});
