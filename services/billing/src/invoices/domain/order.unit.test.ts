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
  const made = draftOf(anAccount({ buyer: { ...buyer, vatNumber: null, ...from } }), read.lines, shop);
  return { made, isRight: read.totals === null || isTotalOf(made, read.totals) };
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

  it.each([
    ['not-a-trade-account', { tier: 'retail' as const, lines: [line(1, 1)] }],
    ['no-lines', { tier: 'trade' as const }],
    ['other-currency', { lines: [{ ...line(1, 1), unitPrice: { amount: 1, currency: 'USD' } }] }],
    ['other-currency', { lines: [line(1, 1)], totals: { total: { amount: 1, currency: 'USD' } } }],
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
