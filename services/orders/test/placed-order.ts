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
  readonly quantities: readonly number[];
  /** Of each line; 10.00 by default. */
  readonly unitPrices?: readonly number[];
  /** Of each line, in basis points; 19 % by default. */
  readonly taxRates?: readonly number[];
  /** What is taken off each line; nothing by default. */
  readonly discounts?: readonly number[];
  readonly tier?: Order['tier'];
  readonly currency?: string;
  /** 5.00 and 19 % tax by default. */
  readonly shipping?: { readonly price: number; readonly discount: number; readonly taxRate: number };
}

/** An order that is placed and paid by card. */
export function placedOrder({
  quantities,
  unitPrices = [],
  taxRates = [],
  discounts = [],
  tier = 'retail',
  currency = 'EUR',
  shipping = { price: 500, discount: 0, taxRate: 1900 },
}: Wanted): Order {
  const sent = newOrder(
    {
      id: newId('ord'),
      cartKey: 'cart',
      userId: newId('user'),
      email: null,
      locale: null,
      tier,
      currency,
      lines: quantities.map((quantity, index) => ({
        productId: newId('prod'),
        variantId: newId('var'),
        quantity,
        shownPrice: unitPrices[index] ?? 1000,
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
  const details = { sku: 'MUG', name: 'Mug', values: [], image: null, weight: null, backOrdered: 0 };
  const reserved: Order = {
    ...sent,
    lines: sent.lines.map((line, index) => ({
      ...line,
      reserved: { ...details, unitPrice: line.shownPrice, taxClass: 'standard' as const },
      taxRate: taxRates[index] ?? 1900,
    })),
    shipping: { ...sent.shipping, price: shipping.price, taxRate: shipping.taxRate },
  };
  const priced = discountHeld(reserved, {
    redemptionId: null,
    currency,
    lines: quantities.map((_quantity, index) => ({ lineId: String(index + 1), discount: discounts[index] ?? 0 })),
    discount: 0,
    shippingDiscount: shipping.discount,
    campaigns: [],
    codes: [],
  });
  if (!priced) throw new Error('the order has no price');
  const { order } = priced;
  const payment = { ...order.payment, status: 'paid' as const, received: order.totals.total };
  return { ...order, status: 'placed', number: 'ORD-2026-000001', placedAt: noon, payment };
}
