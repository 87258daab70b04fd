import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buyXGetYs, linesOf, runs } from '../../../../test/arbitrary-carts.ts';
import { campaignOf, cartOf, evaluated, everything, line, only, useOf } from '../../../../test/carts.ts';
import type { Discount } from '../campaigns/rules.ts';
import type { CartLine } from './cart.ts';
import { compile } from './compiled-campaigns.ts';

type BuyXGetY = Extract<Discount, { readonly type: 'buy-x-get-y' }>;

interface Unit {
  readonly price: number;
  readonly isBought: boolean;
  readonly isGiveable: boolean;
}

function unitsOf(discount: BuyXGetY, lines: readonly CartLine[]): Unit[] {
  const { takesFrom, buys } = compile(campaignOf(discount));
  return lines.flatMap((each) =>
    Array.from({ length: each.quantity }, () => ({
      price: each.unitPrice,
      isBought: buys(each),
      isGiveable: takesFrom(each),
    })),
  );
}

/** Every way to choose so many of the units. */
function* choices(units: readonly Unit[], count: number, from = 0): Generator<Unit[]> {
  if (count === 0) yield [];
  else
    for (let index = from; index <= units.length - count; index += 1) {
      const unit = units[index];
      if (unit !== undefined) for (const others of choices(units, count - 1, index + 1)) yield [unit, ...others];
    }
}

/** The least that given units can cost together, with as many applications as there can be: every choice is tried. */
function cheapest(discount: BuyXGetY, units: readonly Unit[]): number {
  const { buy, get, maximumApplications } = discount;
  for (let applications = maximumApplications ?? units.length; applications > 0; applications -= 1) {
    const costs: number[] = [];
    for (const given of choices(
      units.filter(({ isGiveable }) => isGiveable),
      applications * get.quantity,
    )) {
      const bought = units.filter((unit) => unit.isBought && !given.includes(unit));
      if (bought.length >= applications * buy.quantity) costs.push(given.reduce((sum, { price }) => sum + price, 0));
    }
    if (costs.length > 0) return Math.min(...costs);
  }
  return 0;
}

const smallCarts = linesOf(fc.nat(9), 4).filter((lines) => lines.reduce((sum, { quantity }) => sum + quantity, 0) <= 9);
const takenBy = (discount: BuyXGetY, lines: readonly CartLine[]) =>
  evaluated({ cart: cartOf(lines), campaigns: [useOf(campaignOf(discount))] });

describe('buy x get y', () => {
  it('gives the cheapest units, as often as there are units for, none of which counts as bought too', () => {
    fc.assert(
      fc.property(buyXGetYs, smallCarts, (discount, lines) => {
        const value = cheapest(discount, unitsOf(discount, lines));
        const amount = Math.floor((value * discount.get.basisPoints + 5000) / 10_000);
        expect(takenBy(discount, lines).discount).toBe(amount);
      }),
      runs,
    );
  });

  it('takes from products that may be given, of each no more than its units cost', () => {
    fc.assert(
      fc.property(buyXGetYs, smallCarts, (discount, lines) => {
        const { takesFrom } = compile(campaignOf(discount));
        for (const [index, each] of takenBy(discount, lines).lines.entries()) {
          const given = lines[index];
          expect(given !== undefined && (takesFrom(given) || each.discount === 0)).toBe(true);
          expect(each.total).toBeGreaterThanOrEqual(0);
        }
      }),
      runs,
    );
  });

  it('gives the percentage of what earlier discounts left of the units, as an exact fraction', () => {
    const quantity = fc.integer({ min: 2, max: 1000 });
    const unitPrice = fc.integer({ min: 1, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(
        quantity,
        unitPrice,
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(10_000),
        (count, price, points, off) => {
          const fixed = campaignOf(
            { type: 'fixed-amount', amount: off, target: 'items', items: everything },
            { id: 'camp_first', priority: 0 },
          );
          const units = { quantity: 1, items: everything };
          const oneOfTwo = campaignOf(
            { type: 'buy-x-get-y', buy: units, get: { ...units, basisPoints: points }, maximumApplications: null },
            { id: 'camp_second', priority: 1 },
          );
          const { campaigns } = evaluated({
            cart: cartOf([line('prod_a', count, price)]),
            campaigns: [useOf(fixed), useOf(oneOfTwo)],
          });
          const left = BigInt(count) * BigInt(price) - BigInt(campaigns[0]?.amount ?? 0);
          const given = BigInt(Math.floor(count / 2));
          const divisor = BigInt(count) * 10_000n;
          const amount = Number((2n * left * given * BigInt(points) + divisor) / (2n * divisor));
          expect(campaigns[1]?.amount).toBe(amount);
        },
      ),
      runs,
    );
  });

  it('is exact where the units of two products are given in part', () => {
    // Bought: a. Given: a or b, four units. Of a, 3 units may be given, since 4 of 7 have to be bought; then 1 of 3 of b.
    const discount: BuyXGetY = {
      type: 'buy-x-get-y',
      buy: { quantity: 1, items: only({ products: ['prod_a'] }) },
      get: { quantity: 1, items: everything, basisPoints: 5000 },
      maximumApplications: 4,
    };
    const lines = [line('prod_a', 7, 100), line('prod_b', 3, 110)];
    const oneOff = campaignOf(
      { type: 'fixed-amount', amount: 1, target: 'items', items: everything },
      { id: 'camp_0' },
    );
    const { campaigns } = evaluated({ cart: cartOf(lines), campaigns: [useOf(oneOff), useOf(campaignOf(discount))] });
    // The cent comes off a: 700/1030 of it is more than 330/1030. 699 x 3/7 + 330 x 1/3 = 299.571 + 110 = 409.571; a half is 204.786.
    expect(campaigns.map(({ amount }) => amount)).toEqual([1, 205]);
  });

  it('gives no more of what has to be bought than may be missed, over all products', () => {
    const discount: BuyXGetY = {
      type: 'buy-x-get-y',
      buy: { quantity: 3, items: only({ products: ['prod_a', 'prod_b'] }) },
      get: { quantity: 3, items: everything, basisPoints: 10_000 },
      maximumApplications: 1,
    };
    // Of the four of a and b three are bought, so one is given: of a. The other two are of c.
    const lines = [line('prod_a', 2, 1), line('prod_b', 2, 2), line('prod_c', 2, 5)];
    expect(takenBy(discount, lines).lines.map((each) => each.discount)).toEqual([1, 0, 10]);
  });

  it('is not slow where there are many units', () => {
    const units = { quantity: 1, items: everything };
    const discount: BuyXGetY = {
      type: 'buy-x-get-y',
      buy: units,
      get: { ...units, basisPoints: 10_000 },
      maximumApplications: null,
    };
    const { discount: taken } = takenBy(discount, [line('prod_a', 1_000_000_000, 2), line('prod_b', 1_000_000_000, 1)]);
    expect(taken).toBe(1_000_000_000);
  });
});
