import { setTimeout as wait } from 'node:timers/promises';
import type { http } from '@storefront/contracts';

const sku = 'LEAF-001';
const eventTimeoutMs = 10_000;

interface DemoProduct {
  readonly id: string;
  readonly sku: string;
  readonly price: http.Money;
}

/**
 * Returns a cart of the demo shop that shows why campaigns apply or not. One campaign applies to its tea, the cart is
 * too small for free shipping, and its code belongs to a campaign that is over. Returns null where the tea is no longer
 * sold. Engagement knows a new product only after it has received the product's event, so this function waits up to 10
 * s.
 */
export async function readDemoCart(api: string): Promise<object | null> {
  const response = await fetch(new URL('/v1/products?limit=100', api));
  const { data = [] } = (await response.json()) as { data?: readonly DemoProduct[] };
  const tea = data.find((product) => product.sku === sku);
  if (!tea) return null;
  const shipping = { amount: 495, currency: tea.price.currency };
  const cart = { lines: [{ productId: tea.id, quantity: 2 }], shipping, codes: ['AUTUMN'] };
  const deadline = Date.now() + eventTimeoutMs;
  while (!(await isKnown(api, cart))) {
    if (Date.now() > deadline) return null;
    await wait(50);
  }
  return cart;
}

async function isKnown(api: string, cart: object): Promise<boolean> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(cart) };
  return (await fetch(new URL('/v1/discounts/evaluate', api), request)).ok;
}
