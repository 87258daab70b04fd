import { describe, expect, it } from 'vitest';
import { teaShop } from '../../../test/every-mail.ts';
import { orderMails, type OrderMail } from './order-messages.ts';
import { writingFor } from './templates/compose.ts';

const order: OrderMail = {
  orderId: 'ord_1',
  firstName: 'Ada',
  number: 'ORD-2026-000001',
  currency: 'EUR',
  lines: [{ name: 'Mug', sku: 'MUG-1', quantity: 3, unitPrice: 1250 }],
  tracking: null,
  refund: null,
  totals: { subtotal: 3750, discount: 375, shipping: 495, tax: 618, total: 3870 },
  taxIncluded: true,
  payment: 'card',
};

/** The lines and the sums that a mail in English shows. */
function shown(more: Partial<OrderMail>) {
  const { blocks } = orderMails['order-confirmed']({ ...order, ...more }, null, writingFor(teaShop, {}));
  return {
    items: blocks.flatMap((block) => (block.kind === 'items' ? block.items : [])),
    sums: Object.fromEntries(
      blocks.flatMap((block) => (block.kind === 'figures' ? block.rows.map(([name, value]) => [name, value]) : [])),
    ),
  };
}

describe('the confirmation of an order', () => {
  it('has its lines before the discounts, and names the discounts and the tax in it', () => {
    expect(shown({})).toEqual({
      items: [{ name: 'Mug', detail: '3 × €12.50 · MUG-1', amount: '€37.50' }],
      sums: {
        Items: '€37.50',
        Discount: '-€3.75',
        Shipping: '€4.95',
        Total: '€38.70',
        'Tax included': '€6.18',
        Payment: 'By card',
      },
    });
  });

  it('adds the tax where prices are without it, and shows no discount where there is none', () => {
    const { sums } = shown({ taxIncluded: false, totals: { ...order.totals, discount: 0 }, payment: 'invoice' });
    expect(Object.keys(sums)).toEqual(['Items', 'Shipping', 'Tax', 'Total', 'Payment']);
    expect(sums['Payment']).toBe('On account');
  });

  it('writes each currency with its own number of digits', () => {
    expect(shown({ currency: 'JPY' }).sums['Total']).toBe('¥3,870');
    expect(shown({ currency: 'KWD' }).sums['Total']).toMatch(/^KWD\s3\.870$/);
  });
});

describe('the mail about a shipment', () => {
  it('says how the parcel can be followed, as far as that is known', () => {
    const blocksOf = (tracking: OrderMail['tracking']) =>
      orderMails['order-shipped']({ ...order, tracking }, null, writingFor(teaShop, {})).blocks;
    const url = 'https://parcels.example/JJD-7';
    const all = blocksOf({ carrier: 'DHL', number: 'JJD-7', url });
    expect(all).toContainEqual({
      kind: 'figures',
      rows: [
        ['Sent with', 'DHL'],
        ['Parcel number', 'JJD-7'],
      ],
    });
    expect(all).toContainEqual({ kind: 'link', label: 'Follow the parcel', url });
    expect(blocksOf({ carrier: null, number: null, url: null })).toEqual(blocksOf(null));
  });
});
