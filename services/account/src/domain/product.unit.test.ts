import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertsFor } from './alert.ts';
import { noLows } from './lows.ts';
import {
  withNews,
  withPrices,
  isWishable,
  lowestSince,
  withAlertsRaised,
  type PriceHistory,
  type Product,
  type ProductDetails,
  type ProductNews,
  type VariantDetails,
} from './product.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const at = (sequence: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, sequence));

function news(sequence: number, more: Partial<ProductDetails> = {}): ProductNews {
  const facts = {
    name: 'Mug',
    image: null,
    price: euros(1000),
    tradePrice: null,
    available: true,
    counted: 1,
    listed: true,
    options: [],
    variants: [],
    ...more,
  };
  return { id: 'prod_1', sequence, at: at(sequence), facts, deleted: false, isSnapshot: false };
}
const variant = (id: string, price: number, more: Partial<VariantDetails> = {}): VariantDetails => ({
  id,
  sku: id,
  values: [id],
  price: euros(price),
  tradePrice: null,
  available: true,
  counted: 1,
  active: true,
  ...more,
});
const ended = (sequence: number): ProductNews => ({ ...news(sequence), facts: null, deleted: true });
const snapshotOf = (of: ProductNews, more: Partial<ProductNews> = {}): ProductNews => ({
  ...of,
  at: at(99),
  isSnapshot: true,
  ...more,
});
const noted = (history: PriceHistory | null, all: readonly ProductNews[]) =>
  all.reduce<PriceHistory | null>((known, next) => withPrices(known, next), history) ?? {
    id: 'prod_1',
    ...noLows,
    variants: [],
  };
const heard = (...all: ProductNews[]) =>
  all.reduce<Product | null>((product, next, index) => {
    return withNews(product, next, noted(null, all.slice(0, index + 1)));
  }, null) as Product & { facts: ProductDetails };

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

describe('a product whose snapshot comes', () => {
  const all = [news(1, { price: euros(1200) }), news(3, { price: euros(800) }), news(4, { price: euros(900) })];
  const old = heard(...all);

  it('changes nothing where the copy is right, and puts right what is wrong, without an alert', () => {
    const history = noted(null, all);
    expect(withNews(old, snapshotOf(news(4, { price: euros(900) })), history)).toEqual(old);
    const wrong = { ...old, facts: { ...old.facts, name: 'Wrong', price: euros(2000) } };
    expect(withNews(wrong, snapshotOf(news(4, { price: euros(900) })), history)).toEqual(old);
  });

  it('makes a copy that was dropped equal to the old one, prices it once had included', () => {
    const history = withPrices(noted(null, all), snapshotOf(news(4, { price: euros(900) })));
    const anew = withNews(null, snapshotOf(news(4, { price: euros(900) })), history);
    expect(anew).toEqual({ ...old, due: [] });
    expect(history).toEqual(noted(null, all));
  });

  it('makes the copy of a deleted one equal to the old one', () => {
    const last = heard(...all, ended(5));
    const tell = snapshotOf(news(5, { price: euros(900), available: false }), { deleted: true });
    expect(withNews(null, tell, withPrices(noted(null, all), tell))).toEqual({ ...last, due: [] });
  });

  it('in whatever order with changes that come in: the copy is the same as one that never was dropped', () => {
    const changes = fc.array(fc.record({ price: fc.integer({ min: 1, max: 20 }) }), { minLength: 1, maxLength: 6 });
    const cases = changes.chain((prices) => {
      const live = prices.map(({ price }, index) => news(index + 5, { price: euros(price) }));
      const versions = [...all, ...live].slice(2);
      return fc.tuple(
        fc.constant(live),
        fc
          .constantFrom(...versions)
          .chain((of) => fc.shuffledSubarray([...live, snapshotOf(of)], { minLength: live.length + 1 })),
      );
    });
    fc.assert(
      fc.property(cases, ([live, arriving]) => {
        const expected = heard(...all, ...live);
        let history = noted(null, all);
        let anew: Product | null = null;
        for (const next of arriving) {
          history = withPrices(history, next);
          anew = withNews(anew, next, history);
        }
        // The time of a price that was first heard of by telling is that of the telling.
        const comparable = ({ facts, sequence, lows }: Product) => {
          return { facts, sequence, lows: lows.retail.map((low) => [low.sequence, low.amount]) };
        };
        expect(anew && comparable(anew)).toEqual(comparable(expected));
      }),
    );
  });

  it('before the event of its change comes raises the alert in its place, once', () => {
    const cheap = news(5, { price: euros(500) });
    const first = withNews(old, snapshotOf(cheap), noLows);
    expect(first.due.at(-1)).toMatchObject({ sequence: 5, changes: [{ kind: 'price-drop' }, { kind: 'price-drop' }] });
    expect(withNews(first, cheap, noLows).due).toEqual(first.due);
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
          const now = product.facts.price;
          expect(lowestSince(product.lows, 'retail', at(added + 1), { atAdding: then, now })).toEqual(
            euros(Math.min(...prices.slice(added))),
          );
        },
      ),
    );
  });

  it('is in the currency of today', () => {
    const product = heard(news(1, { price: euros(5) }), news(2, { price: { amount: 700, currency: 'USD' } }));
    const now = product.facts.price;
    expect(lowestSince(product.lows, 'retail', at(1), { atAdding: euros(5), now })).toEqual({
      amount: 700,
      currency: 'USD',
    });
  });
});

describe('the price history of variants', () => {
  const withVariants = (sequence: number, prices: Readonly<Record<string, number>>) =>
    news(sequence, { variants: Object.entries(prices).map(([id, price]) => variant(id, price)) });
  const amountsOf = (history: PriceHistory) =>
    history.variants.map(({ id, retail }) => [id, retail.map(({ sequence, amount }) => [sequence, amount])]);

  it('has the low prices of each, without those that are deleted', () => {
    const all = [withVariants(1, { s: 5, m: 9 }), withVariants(2, { s: 7, m: 8 }), withVariants(3, { s: 6 })];
    expect(amountsOf(noted(null, all.slice(0, 2)))).toEqual([
      [
        's',
        [
          [1, 5],
          [2, 7],
        ],
      ],
      ['m', [[2, 8]]],
    ]);
    expect(amountsOf(noted(null, all))).toEqual([
      [
        's',
        [
          [1, 5],
          [3, 6],
        ],
      ],
    ]);
  });

  it('comes to the same in whatever order, and however often, events arrive', () => {
    const prices = fc.dictionary(fc.constantFrom('s', 'm', 'l'), fc.integer({ min: 1, max: 9 }), { minKeys: 1 });
    const histories = fc
      .array(prices, { minLength: 1, maxLength: 6 })
      .map((states) => states.map((state, index) => withVariants(index + 1, state)))
      .chain((history) =>
        fc.tuple(
          fc.constant(history),
          fc.shuffledSubarray([...history, ...history], { minLength: history.length * 2 }),
        ),
      );
    fc.assert(
      fc.property(histories, ([inOrder, anyhow]) => {
        const ofNewest = new Set(inOrder.at(-1)?.facts?.variants.map(({ id }) => id));
        const history = noted(null, anyhow);
        expect(history.variants.map(({ id }) => id)).toEqual([...ofNewest]);
        // A variant that was missing for a while has a new history since; ids never come back.
        const isLasting = (id: string) => inOrder.every(({ facts }) => facts?.variants.some((each) => each.id === id));
        const lasting = (of: PriceHistory) => of.variants.filter(({ id }) => isLasting(id));
        expect(lasting(history)).toEqual(lasting(noted(null, inOrder)));
      }),
    );
  });
});

describe('what those who wish for a product withNews', () => {
  const kinds = (product: Product, tier: 'retail' | 'trade' = 'retail', wishedAt = at(0)) =>
    product.due.flatMap((due) =>
      alertsFor({ userId: 'user_1', tier, wishes: [{ wishedAt }] }, 'prod_1', due).map(({ id }) =>
        id.slice(id.indexOf('/') + 1),
      ),
    );

  it('is a lower price, and that it is there again', () => {
    expect(kinds(heard(news(1), news(2, { price: euros(900) })))).toEqual(['prod_1/2/price-drop']);
    const gone = news(1, { available: false, counted: 0 });
    expect(kinds(heard(gone, news(2)))).toEqual(['prod_1/2/back-in-stock']);
  });

  it('is that it is there again where some arrive while all others are reserved, and where it is shown again', () => {
    const reserved = news(1, { available: false, counted: 2 });
    expect(kinds(heard(reserved, news(2, { counted: 3 })))).toEqual(['prod_1/2/back-in-stock']);
    const hidden = news(1, { available: false, listed: false, counted: 2 });
    expect(kinds(heard(hidden, news(2, { counted: 2 })))).toEqual(['prod_1/2/back-in-stock']);
  });

  it('is nothing of pieces that an order gives back, whatever event says so first', () => {
    const reserved = news(1, { available: false, counted: 2 });
    expect(kinds(heard(reserved, news(2, { counted: 2 })))).toEqual([]);
    expect(kinds(heard(reserved, snapshotOf(news(3, { counted: 2, name: 'Cup' })), news(2, { counted: 2 })))).toEqual(
      [],
    );
    const fewer = news(3, { counted: 1, price: euros(900) });
    expect(kinds(heard(reserved, fewer))).toEqual(['prod_1/3/price-drop']);
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
    const holder = { userId: 'user_1', tier: 'trade', wishes: [{ wishedAt: at(0) }] } as const;
    expect(due && alertsFor(holder, 'prod_1', due)[0]?.fact.data).toEqual({
      userId: 'user_1',
      productId: 'prod_1',
      productName: 'Mug',
      kind: 'price-drop',
      tier: 'trade',
      was: euros(800),
      now: euros(700),
    });
  });

  it('is not what was before they wished for it, nor what a newer event overtook', () => {
    expect(kinds(heard(news(1), news(2, { price: euros(900) })), 'retail', at(3))).toEqual([]);
    expect(kinds(heard(news(1), news(3), news(2, { price: euros(900) })))).toEqual([]);
  });

  it('is about the variant that they name', () => {
    const [small, medium] = [variant('var_s', 1000), variant('var_m', 1000, { available: false, counted: 0 })];
    const product = heard(
      news(1, { variants: [small, medium] }),
      news(2, { counted: 2, variants: [variant('var_s', 1000), variant('var_m', 900), variant('var_l', 900)] }),
      news(3, { counted: 2, price: euros(800), variants: [variant('var_s', 800), variant('var_m', 950)] }),
    );
    const idOf = (sequence: number, kind: string) => `user_1/prod_1/${sequence}/${kind}`;
    const alerts = (...variantIds: readonly (string | undefined)[]) => {
      const wishes = variantIds.map((variantId) => ({ variantId, wishedAt: at(0) }));
      return product.due
        .flatMap((due) => alertsFor({ userId: 'user_1', tier: 'retail', wishes }, 'prod_1', due))
        .map(({ id, fact: { data } }) => [id, data]);
    };
    expect(alerts('var_m')).toMatchObject([
      [idOf(2, 'price-drop'), { variantId: 'var_m', values: ['var_m'], was: euros(1000), now: euros(900) }],
      [idOf(2, 'back-in-stock'), { variantId: 'var_m', now: euros(900) }],
    ]);
    expect(alerts('var_s')).toMatchObject([[idOf(3, 'price-drop'), { variantId: 'var_s', now: euros(800) }]]);
    expect(alerts('var_l')).toEqual([]);
    // The same change of several items is one alert, about the oldest of them.
    expect(alerts(undefined, 'var_s')).toMatchObject([[idOf(3, 'price-drop'), { now: euros(800) }]]);
    expect(alerts('var_s', undefined)).toMatchObject([[idOf(3, 'price-drop'), { variantId: 'var_s' }]]);
  });

  it('is nothing of a variant that an order gives back, while another one arrives', () => {
    const [small, medium] = [variant('var_s', 1000), variant('var_m', 1000, { available: false })];
    const givenBack = news(2, { counted: 9, variants: [{ ...small, counted: 9 }, variant('var_m', 1000)] });
    expect(heard(news(1, { variants: [small, medium] }), givenBack).due).toEqual([]);
    const archived = { ...medium, active: false };
    const shown = heard(
      news(1, { variants: [small, archived] }),
      news(2, { variants: [small, variant('var_m', 1000)] }),
    );
    expect(shown.due[0]?.changes).toMatchObject([{ kind: 'back-in-stock', tier: 'retail' }, { tier: 'trade' }]);
  });

  it('stays due until it is raised for all, and never goes back', () => {
    const product = heard(news(1), news(2, { price: euros(900) }), news(3, { price: euros(800) }));
    expect(product.due.map(({ sequence }) => sequence)).toEqual([2, 3]);
    const further = withAlertsRaised(withAlertsRaised(product, 2, 'user_5'), 2, 'user_3');
    expect(further.due[0]?.toldUpTo).toBe('user_5');
    expect(withAlertsRaised(further, 2, null).due.map(({ sequence }) => sequence)).toEqual([3]);
  });
});
