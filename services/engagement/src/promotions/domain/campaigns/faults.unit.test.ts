import { newId } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { currencyOf, faultsOf, type Given } from './faults.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const usd = (amount: number) => ({ amount, currency: 'USD' });
const [one, other, category] = [newId('prod'), newId('prod'), newId('cat')];
const [small, medium] = [newId('var'), newId('var')];
const noLimits = { total: null, perUser: null, budget: null };
const buyAndGet = (buy: object, get: object): Given['discount'] => ({
  type: 'buy-x-get-y',
  buy: { quantity: 1, items: buy },
  get: { quantity: 1, items: get, percent: 100 },
});

const said = (given: Given, ...currency: [] | [string | null]) =>
  faultsOf(given, ...currency).map(({ pointer, code }) => `${pointer} ${code}`);

describe('what can not be true', () => {
  it.each<[string, Given, string[]]>([
    ['nothing', {}, []],
    [
      'a fixed amount of nothing',
      { discount: { type: 'fixed-amount', amount: eur(0), target: 'order' } },
      ['/discount/amount/amount too_small'],
    ],
    [
      'a maximum of nothing',
      { discount: { type: 'free-shipping', maximumAmount: eur(0) } },
      ['/discount/maximumAmount/amount too_small'],
    ],
    ['a budget of nothing', { limits: { ...noLimits, budget: eur(0) } }, ['/limits/budget/amount too_small']],
    ['a minimum of nothing is no fault', { conditions: { minimumSubtotal: eur(0) } }, []],
    [
      'a budget below one fixed amount',
      {
        discount: { type: 'fixed-amount', amount: eur(500), target: 'order' },
        limits: { ...noLimits, budget: eur(499) },
      },
      ['/limits/budget/amount below_one_use'],
    ],
    [
      'a budget for one use is no fault',
      {
        discount: { type: 'fixed-amount', amount: eur(500), target: 'order' },
        limits: { ...noLimits, budget: eur(500) },
      },
      [],
    ],
    [
      'any budget of a percentage is no fault',
      {
        discount: { type: 'percentage', percent: 10, target: 'order', maximumAmount: eur(500) },
        limits: { ...noLimits, budget: eur(1) },
      },
      [],
    ],
    [
      'money of several currencies',
      {
        discount: { type: 'fixed-amount', amount: eur(500), target: 'order' },
        conditions: { minimumSubtotal: usd(1) },
        limits: { ...noLimits, budget: usd(400) },
      },
      ['/conditions/minimumSubtotal/currency other_currency', '/limits/budget/currency other_currency'],
    ],
    [
      'an end at the start',
      { conditions: { startsAt: new Date(5), endsAt: new Date(5) } },
      ['/conditions/endsAt not_after_start'],
    ],
    ['an end after the start is no fault', { conditions: { startsAt: new Date(5), endsAt: new Date(6) } }, []],
    ['an end without a start is no fault', { conditions: { startsAt: null, endsAt: new Date(5) } }, []],
    ['buying anything', { discount: buyAndGet({}, { products: [one] }) }, ['/discount/buy/items items_required']],
    [
      'getting anything but one product',
      { discount: buyAndGet({ categories: [category] }, { excludedProducts: [one] }) },
      ['/discount/get/items items_required'],
    ],
    [
      'a product that is named and excluded',
      {
        discount: {
          type: 'percentage',
          percent: 10,
          target: 'items',
          items: { products: [one], excludedProducts: [other, one] },
        },
      },
      ['/discount/items/excludedProducts/1 named_too'],
    ],
    [
      'a variant that is named and excluded',
      { discount: buyAndGet({ variants: [small] }, { variants: [small, medium], excludedVariants: [medium] }) },
      ['/discount/get/items/excludedVariants/0 named_too'],
    ],
    [
      'a product without one of its variants is no fault',
      { discount: buyAndGet({ products: [one], excludedVariants: [small] }, { variants: [medium] }) },
      [],
    ],
    [
      'the same in what is bought and given',
      {
        discount: buyAndGet(
          { products: [one], excludedProducts: [one] },
          { products: [other], excludedProducts: [other] },
        ),
      },
      ['/discount/buy/items/excludedProducts/0 named_too', '/discount/get/items/excludedProducts/0 named_too'],
    ],
    [
      'a category without one of its products is no fault',
      {
        discount: {
          type: 'percentage',
          percent: 1,
          target: 'order',
          items: { categories: [category], excludedProducts: [one] },
        },
      },
      [],
    ],
  ])('%s', (_what, given, faults) => {
    expect(said(given)).toEqual(faults);
  });

  it('is money in another currency than the named one, or in any other than the first where none is named', () => {
    const given: Given = { conditions: { minimumSubtotal: eur(1) }, limits: { ...noLimits, budget: usd(1) } };
    expect(said(given, 'USD')).toEqual(['/conditions/minimumSubtotal/currency other_currency']);
    expect(said(given, null)).toEqual([]);
  });
});

it('takes the currency from the first money there is', () => {
  expect(currencyOf({})).toBeNull();
  expect(currencyOf({ conditions: { minimumSubtotal: null }, limits: { ...noLimits, budget: usd(1) } })).toBe('USD');
  expect(currencyOf({ discount: { type: 'free-shipping', maximumAmount: eur(1) }, limits: { budget: usd(1) } })).toBe(
    'EUR',
  );
});
