import { engagementHttp, newId } from '@storefront/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { discountBody, discountOf } from './campaign-body.ts';

const ids = (prefix: 'prod' | 'var' | 'cat', minLength: number) =>
  fc.array(fc.constant(null), { minLength, maxLength: 3 }).map((places) => places.map(() => newId(prefix)));
const optional = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined });
const selector = fc
  .record({
    products: optional(ids('prod', 1)),
    variants: optional(ids('var', 1)),
    categories: optional(ids('cat', 1)),
    excludedProducts: optional(ids('prod', 1)),
    excludedVariants: optional(ids('var', 1)),
  })
  .map(defined);
const target = fc.constantFrom('order', 'items');
const percent = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100);
const amount = fc.integer({ min: 1, max: 1_000_000_000_000 }).map((value) => ({ amount: value, currency: 'EUR' }));
const quantity = fc.integer({ min: 1, max: 1000 });
const items = optional(selector.filter((one) => Object.keys(one).length > 0));

const discount = fc.oneof(
  fc.record({ type: fc.constant('percentage'), percent, target, items, maximumAmount: optional(amount) }),
  fc.record({ type: fc.constant('fixed-amount'), amount, target, items }),
  fc.record({
    type: fc.constant('buy-x-get-y'),
    buy: fc.record({ quantity, items: selector }),
    get: fc.record({ quantity, items: selector, percent }),
    maximumApplications: optional(quantity),
  }),
  fc.record({ type: fc.constant('free-shipping'), maximumAmount: optional(amount) }),
);

it('shows any discount as it was given', () => {
  fc.assert(
    fc.property(discount.map(defined), (given) => {
      const read = engagementHttp.discount.parse(given);
      expect(discountBody(discountOf(read), 'EUR')).toEqual(given);
    }),
  );
});

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
