import { describe, expect, it } from 'vitest';
import { anAccount, shop } from '../../../test/states.ts';
import { draftOf } from './issue-invoice.ts';
import { isTotalOf, readOrder } from './order.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const line = (quantity: number, price: number, more: object = {}) => ({
  productId: 'prod_1',
  quantity,
  unitPrice: eur(price),
  ...more,
});

function draft(
  order: Omit<Parameters<typeof readOrder>[0], 'tier'>,
  from: { country?: string; vatNumber?: string } = {},
) {
  const read = readOrder({ tier: 'trade', ...order }, shop);
  if ('fault' in read) throw new Error(read.fault);
  const { buyer } = anAccount();
  const made = draftOf(anAccount({ buyer: { ...buyer, vatNumber: null, ...from } }), read.lines, shop, read.stated);
  return { made, isRight: isTotalOf(made, read) };
}

describe('the invoice of an order', () => {
  it('has its lines, and shipping', () => {
    const { made } = draft({
      lines: [
        line(3, 1099, { description: 'Assam', sku: 'TEA-1' }),
        line(1, 335, { sku: 'B-1', taxRate: 7 }),
        line(1, 1),
      ],
      totals: { shipping: eur(490), total: eur(0) },
    });
    expect(made.lines.map(({ description, sku, taxRate, net }) => [description, sku, taxRate, net])).toEqual([
      ['Assam', 'TEA-1', 19, 3297],
      ['B-1', 'B-1', 7, 335],
      ['prod_1', null, 19, 1],
      ['Shipping', null, 19, 490],
    ]);
  });

  it('has the discount spread over its lines by what they come to, and over shipping what is more', () => {
    const discounts = (discount: number) =>
      draft({
        lines: [line(1, 300), line(1, 100)],
        totals: { shipping: eur(50), discount: eur(discount), total: eur(0) },
      }).made.lines.map((each) => each.discount);
    expect(discounts(100)).toEqual([75, 25, 0]);
    expect(discounts(101)).toEqual([76, 25, 0]);
    expect(discounts(430)).toEqual([300, 100, 30]);
  });

  it('comes to what the order system says: with its tax, without, or under reverse charge without', () => {
    const lines = [line(3, 1099), line(1, 335, { taxRate: 7 })];
    expect(draft({ lines, totals: { tax: eur(649), total: eur(4281) } }).isRight).toBe(true);
    expect(draft({ lines, totals: { tax: eur(649), total: eur(4282) } }).isRight).toBe(false);
    expect(draft({ lines, totals: { total: eur(3632) } }).isRight).toBe(true);
    expect(draft({ lines, totals: { total: eur(4281) } }).isRight).toBe(false);
    expect(draft({ lines }).isRight).toBe(true);
    const dutch = { country: 'NL', vatNumber: 'NL123456789B01' };
    const swiss = { country: 'CH' };
    expect(draft({ lines, totals: { tax: eur(649), total: eur(4281) } }, dutch).isRight).toBe(true);
    expect(draft({ lines, totals: { tax: eur(0), total: eur(3632) } }, dutch).isRight).toBe(true);
    expect(draft({ lines, totals: { total: eur(4281) } }, dutch).isRight).toBe(false);
    expect(draft({ lines, totals: { tax: eur(649), total: eur(4281) } }, swiss).isRight).toBe(true);
    expect(draft({ lines, totals: { total: eur(4281) } }, swiss).isRight).toBe(false);
  });

  it('has the discounts and the tax that the order system states, whatever follows from its rates and its account', () => {
    const goods = [
      line(3, 1099, { discount: eur(97), taxRate: 19, tax: eur(607) }),
      line(1, 335, { discount: eur(3), taxRate: 7, tax: eur(24) }),
    ];
    const shipping = { discount: eur(50), taxRate: 19, tax: eur(84) };
    const totals = { discount: eur(150), shipping: eur(490), tax: eur(715), total: eur(4687) };
    const to = (country: string) => ({ recipient: { address: { country, homeAddress: 'a', state: null, city: 'b' } } });
    const dutch = { country: 'NL', vatNumber: 'NL123456789B01' };
    const order = { lines: goods, shipping, totals, reverseCharge: false };
    const { made, isRight } = draft({ ...order, ...to('DE') }, dutch);
    expect(isRight).toBe(true);
    expect(made.lines.map(({ discount, taxRate, net }) => [discount, taxRate, net])).toEqual([
      [97, 19, 3200],
      [3, 7, 332],
      [50, 19, 440],
    ]);
    // The tax of the rates would be 692 and 23.
    expect(made).toMatchObject({
      taxTreatment: 'domestic',
      reverseCharge: false,
      taxes: [
        { rate: 19, base: 3640, amount: 691 },
        { rate: 7, base: 332, amount: 24 },
      ],
      total: 4687,
    });
    expect(draft({ ...order, ...to('CH') }).made.taxTreatment).toBe('domestic');
    expect(draft({ ...order, ...to('NL') }).made.taxTreatment).toBe('eu');
    expect(draft({ ...order, totals: { ...totals, total: eur(4688) } }).isRight).toBe(false);

    const untaxed = {
      lines: goods.map((each) => ({ ...each, taxRate: 0, tax: eur(0) })),
      shipping: { ...shipping, taxRate: 0, tax: eur(0) },
      totals: { ...totals, tax: eur(0), total: eur(3972) },
    };
    const owed = draft({ ...untaxed, reverseCharge: true, ...to('AT') });
    expect(owed).toMatchObject({
      isRight: true,
      made: { taxTreatment: 'reverse-charge', reverseCharge: true, tax: 0 },
    });
    expect(draft({ ...untaxed, reverseCharge: false, ...to('CH') }).made.taxTreatment).toBe('export');
    expect(draft({ ...untaxed, ...to('NL') }, dutch).made.taxTreatment).toBe('reverse-charge');
    expect(draft(untaxed).made.taxTreatment).toBe('domestic');
  });

  it.each([
    ['not-a-trade-account', { tier: 'retail' as const, lines: [line(1, 1)] }],
    ['no-lines', { tier: 'trade' as const }],
    ['other-currency', { lines: [{ ...line(1, 1), unitPrice: { amount: 1, currency: 'USD' } }] }],
    ['other-currency', { lines: [line(1, 1)], totals: { total: { amount: 1, currency: 'USD' } } }],
    ['other-currency', { lines: [line(1, 1, { tax: { amount: 1, currency: 'USD' } })] }],
    ['totals-differ', { lines: [line(1, 5, { discount: eur(6) })] }],
    ['too-many-lines', { lines: Array.from({ length: 201 }, () => line(1, 1)) }],
    [
      'too-many-lines',
      { lines: Array.from({ length: 200 }, () => line(1, 1)), totals: { shipping: eur(1), total: eur(201) } },
    ],
    ['totals-differ', { lines: [line(1, 5)], totals: { discount: eur(6), total: eur(0) } }],
    ['totals-differ', { lines: [line(1_000_000_000, 1_000_000_000_000)] }],
  ])('is none: %s', (fault, order) => {
    expect(readOrder({ tier: 'trade', ...order }, shop)).toEqual({ fault });
  });
});
