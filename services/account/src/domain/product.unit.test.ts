import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertsFor } from './alert.ts';
import { withNews, isWishable, lowestSince, withAlertsRaised } from './product.ts';
import type { Product, ProductDetails, ProductNews } from './product.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const at = (sequence: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, sequence));

function news(sequence: number, more: Partial<ProductDetails> = {}): ProductNews {
  const facts = {
    name: 'Mug',
    image: null,
    price: euros(1000),
    tradePrice: null,
    available: true,
    listed: true,
    ...more,
  };
  return { productId: 'prod_1', sequence, at: at(sequence), facts };
}
const ended = (sequence: number): ProductNews => ({ productId: 'prod_1', sequence, at: at(sequence), facts: null });
const heard = (...all: ProductNews[]) =>
  all.reduce<Product | null>((product, next) => withNews(product, next), null) as Product & { facts: ProductDetails };

describe('the copy of a product', () => {
  it('comes to the same in whatever order, and however often, events arrive', () => {
    const histories = fc
      .array(fc.record({ price: fc.integer({ min: 1, max: 20 }), available: fc.boolean() }), {
        minLength: 1,
        maxLength: 8,
      })
      .map((states) => states.map(({ price, available }, index) => news(index + 1, { price: euros(price), available })))
      .chain((history) =>
        fc.tuple(
          fc.constant(history),
          fc.shuffledSubarray([...history, ...history], { minLength: history.length * 2 }),
        ),
      );
    fc.assert(
      fc.property(histories, ([inOrder, anyhow]) => {
        const { due: _due, ...expected } = heard(...inOrder);
        const { due: _other, ...actual } = heard(...anyhow);
        expect(actual).toEqual(expected);
      }),
    );
  });

  it('keeps the last facts of one that is deleted, and does not come back', () => {
    const product = heard(news(1, { name: 'Old mug' }), ended(3), news(2, { name: 'Mug' }));
    expect(product).toMatchObject({ deleted: true, facts: { name: 'Old mug', available: false } });
    expect(isWishable(product)).toBe(false);
  });

  it('of which only the end was heard stays one without facts', () => {
    expect(heard(ended(2), news(1))).toMatchObject({ deleted: true, facts: null, sequence: 2 });
  });
});

describe('the lowest price', () => {
  it('since some day is that of all prices since, the one of that day and the one of today', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        (prices, pick) => {
          const added = pick % prices.length;
          const product = heard(...prices.map((price, index) => news(index + 1, { price: euros(price) })));
          const then = euros(prices[added] as number);
          expect(lowestSince(product, 'retail', at(added + 1), then)).toEqual(euros(Math.min(...prices.slice(added))));
        },
      ),
    );
  });

  it('is in the currency of today', () => {
    const product = heard(news(1, { price: euros(5) }), news(2, { price: { amount: 700, currency: 'USD' } }));
    expect(lowestSince(product, 'retail', at(1), euros(5))).toEqual({ amount: 700, currency: 'USD' });
  });
});

describe('what those who wish for a product withNews', () => {
  const kinds = (product: Product, tier: 'retail' | 'trade' = 'retail', wishedAt = at(0)) =>
    product.due.flatMap((due) =>
      alertsFor({ userId: 'user_1', tier, wishedAt }, 'prod_1', due).map(({ id }) => id.slice(id.indexOf('/') + 1)),
    );

  it('is a lower price, and that it is there again', () => {
    expect(kinds(heard(news(1), news(2, { price: euros(900) })))).toEqual(['prod_1/2/price-drop']);
    expect(kinds(heard(news(1, { available: false }), news(2)))).toEqual(['prod_1/2/back-in-stock']);
  });

  it('is nothing of a higher price, another currency, a first event, or of what can not be bought', () => {
    expect(kinds(heard(news(1), news(2, { price: euros(1100) })))).toEqual([]);
    expect(kinds(heard(news(1), news(2, { price: { amount: 1, currency: 'USD' } })))).toEqual([]);
    expect(kinds(heard(news(1)))).toEqual([]);
    expect(kinds(heard(news(1), news(2, { price: euros(1), available: false })))).toEqual([]);
  });

  it('is in the prices of their tier', () => {
    const product = heard(news(1, { tradePrice: euros(800) }), news(2, { tradePrice: euros(700) }));
    expect(kinds(product)).toEqual([]);
    expect(kinds(product, 'trade')).toEqual(['prod_1/2/price-drop']);
    const [due] = product.due;
    expect(due && alertsFor({ userId: 'user_1', tier: 'trade', wishedAt: at(0) }, 'prod_1', due)[0]?.fact.data).toEqual(
      {
        userId: 'user_1',
        productId: 'prod_1',
        productName: 'Mug',
        kind: 'price-drop',
        tier: 'trade',
        was: euros(800),
        now: euros(700),
      },
    );
  });

  it('is not what was before they wished for it, nor what a newer event overtook', () => {
    expect(kinds(heard(news(1), news(2, { price: euros(900) })), 'retail', at(3))).toEqual([]);
    expect(kinds(heard(news(1), news(3), news(2, { price: euros(900) })))).toEqual([]);
  });

  it('stays due until all are told, and never goes back', () => {
    const product = heard(news(1), news(2, { price: euros(900) }), news(3, { price: euros(800) }));
    expect(product.due.map(({ sequence }) => sequence)).toEqual([2, 3]);
    const further = withAlertsRaised(withAlertsRaised(product, 2, 'user_5'), 2, 'user_3');
    expect(further.due[0]?.toldUpTo).toBe('user_5');
    expect(withAlertsRaised(further, 2, null).due.map(({ sequence }) => sequence)).toEqual([3]);
  });
});
