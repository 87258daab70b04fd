import { ordersEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop, User } from '../shop.ts';

/** A user places an order. The event may be published days later. */
export function publishOrder(shop: Shop, publish: (event: Event) => void): void {
  const user = shop.random.pick(shop.users);
  publish(orderOf(shop, user, shop.moment(), shop.random.pick(shop.products)));
}

type Product = Shop['products'][number];

/** An order that contains the product. It has all totals, only the total, or none. */
export function orderOf(shop: Shop, user: User, placed: number, product: Product): Event {
  const { random, chance } = shop;
  const orderId = `order-${shop.uuid()}`;
  const currency = shop.currencyOf(shop);
  const money = (amount: number) => ({ amount, currency });
  const products = [product, ...random.shuffle([...shop.products]).slice(0, random.between(0, 3))];
  const lines = products.map((each) => ({
    productId: each.id,
    quantity: random.between(1, 5),
    unitPrice: money(each.price),
  }));
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice.amount, 0);
  const discount = chance(0.4) ? random.between(0, subtotal) : 0;
  const [shipping, tax] = [random.between(0, 900), random.between(0, 500)];
  const total = subtotal - discount + shipping + tax;
  const form = random.next();
  const all = { subtotal, discount, shipping, tax, total };
  const totals = Object.fromEntries(Object.entries(all).map(([what, amount]) => [what, money(amount)]));
  return eventAt(shop, shop.later(placed), ordersEvents.orderPlaced, orderId, {
    orderId,
    userId: user.userId,
    recipient: { firstName: 'Robin', lastName: 'Reader', email: 'robin@example.com' },
    placedAt: new Date(placed).toISOString(),
    tier: chance(0.9) ? user.role : 'retail',
    ...(form < 0.7 && { totals: { ...totals, total: money(total) } }),
    ...(form >= 0.7 && form < 0.9 && { totals: { total: money(total) } }),
    ...(form < 0.95 && { lines }),
  });
}
