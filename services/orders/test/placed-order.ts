import { newId, system } from '@storefront/contracts';
import { discountHeld } from '../src/checkout/domain/answers.ts';
import { newOrder, type Order } from '../src/checkout/domain/order.ts';

export const noon = new Date('2026-11-26T12:00:00Z');
export const asked = { actor: system, now: noon };

/** Somewhere in another country of the EU than the shop. */
export const address = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: null,
  homeAddress: 'Keizersgracht 1',
  city: 'Amsterdam',
  state: null,
  country: 'NL',
  phone: null,
};

interface Wanted {
  /** Of each line; its pieces cost 10.00 each. */
  readonly quantities: readonly number[];
  /** What is taken off each line; nothing by default. */
  readonly discounts?: readonly number[];
  readonly tier?: Order['tier'];
}

/** An order that is placed and paid by card, with shipping for 5.00 and 19 % tax. */
export function placedOrder({ quantities, discounts = [], tier = 'retail' }: Wanted): Order {
  const sent = newOrder(
    {
      id: newId('ord'),
      cartKey: 'cart',
      userId: newId('user'),
      email: null,
      locale: null,
      tier,
      currency: 'EUR',
      lines: quantities.map((quantity) => ({
        productId: newId('prod'),
        variantId: newId('var'),
        quantity,
        shownPrice: 1000,
      })),
      codes: [],
      expectedTotal: 0,
      saved: null,
      shippingAddress: address,
      billingAddress: address,
      shippingOption: { id: newId('shopt'), name: 'Parcel' },
      method: 'card',
      returnUrl: null,
      reference: null,
      note: null,
      secret: null,
      unpaidKeys: [],
    },
    noon,
  );
  const details = { sku: 'MUG', name: 'Mug', values: [], image: null, unitPrice: 1000, weight: null, backOrdered: 0 };
  const reserved: Order = {
    ...sent,
    lines: sent.lines.map((line) => ({
      ...line,
      reserved: { ...details, taxClass: 'standard' as const },
      taxRate: 1900,
    })),
    shipping: { ...sent.shipping, price: 500, taxRate: 1900 },
  };
  const priced = discountHeld(reserved, {
    redemptionId: null,
    currency: 'EUR',
    lines: quantities.map((_quantity, index) => ({ lineId: String(index + 1), discount: discounts[index] ?? 0 })),
    discount: 0,
    shippingDiscount: 0,
    campaigns: [],
    codes: [],
  });
  if (!priced) throw new Error('the order has no price');
  const { order } = priced;
  const payment = { ...order.payment, status: 'paid' as const, received: order.totals.total };
  return { ...order, status: 'placed', number: 'ORD-2026-000001', placedAt: noon, payment };
}
