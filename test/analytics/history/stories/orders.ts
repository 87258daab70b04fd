import { ordersEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../tell.ts';
import { currencies, type User, type World } from '../world.ts';

/** A user places an order. The order system may tell it days later. */
export function tellOrder(world: World, tell: (event: Event) => void): void {
  const user = world.random.pick(world.users);
  tell(orderOf(world, user, world.moment(), world.random.pick(world.products)));
}

/** An order of the user that has the product among others. Of four forms: with all totals, with one, the older form, and none. */
export function orderOf(world: World, user: User, placed: number, productId: string): Event {
  const { random, chance } = world;
  const orderId = `order-${world.uuid()}`;
  const currency = chance(0.8) ? currencies[0] : currencies[1];
  const money = (amount: number) => ({ amount, currency });
  const products = [productId, ...random.shuffle([...world.products]).slice(0, random.between(0, 3))];
  const lines = products.map((each) => ({
    productId: each,
    quantity: random.between(1, 5),
    unitPrice: money(random.between(1, 20_000)),
  }));
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice.amount, 0);
  const discount = chance(0.4) ? random.between(0, subtotal) : 0;
  const [shipping, tax] = [random.between(0, 900), random.between(0, 500)];
  const total = subtotal - discount + shipping + tax;
  const form = random.next();
  const all = { subtotal, discount, shipping, tax, total };
  const totals = Object.fromEntries(Object.entries(all).map(([what, amount]) => [what, money(amount)]));
  return eventAt(world, world.later(placed), ordersEvents.orderPlaced, orderId, {
    orderId,
    userId: user.userId,
    recipient: { firstName: 'Robin', lastName: 'Reader', email: 'robin@example.com' },
    placedAt: new Date(placed).toISOString(),
    tier: chance(0.9) ? user.role : 'retail',
    ...(form < 0.7 && { totals: { ...totals, total: money(total) } }),
    ...(form >= 0.7 && form < 0.8 && { totals: { total: money(total) } }),
    ...(form >= 0.8 && form < 0.9 && { total: money(total) }),
    ...(form < 0.95 && { lines }),
  });
}
