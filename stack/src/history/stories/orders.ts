import { ordersEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop, User } from '../shop.ts';

type Publish = (event: Event) => void;

/** A user places an order. The event may be published days later. */
export function publishOrder(shop: Shop, publish: Publish): void {
  const user = shop.random.pick(shop.users);
  publish(orderOf(shop, user, shop.moment(), shop.random.pick(shop.products)));
}

type Product = Shop['products'][number];

/** An order that contains the product. It has all totals, only the total, or none. */
export function orderOf(shop: Shop, user: User, placed: number, product: Product): Event {
  const { random, chance } = shop;
  const orderId = `order-${shop.uuid()}`;
  const { currency, lines, totals } = goodsOf(shop, product);
  const money = moneyIn(currency);
  const form = random.next();
  return eventAt(shop, shop.later(placed), ordersEvents.orderPlaced, orderId, {
    orderId,
    userId: user.userId,
    recipient: { firstName: 'Robin', lastName: 'Reader', email: 'robin@example.com' },
    placedAt: new Date(placed).toISOString(),
    tier: chance(0.9) ? user.role : 'retail',
    ...(form < 0.7 && { totals: allIn(currency, totals) }),
    ...(form >= 0.7 && form < 0.9 && { totals: { total: money(totals.total) } }),
    ...(form < 0.95 && {
      // An order system outside may state no variants.
      lines: lines.map(({ variantId, unitPrice, ...line }) => {
        return { ...line, ...(form < 0.8 && { variantId }), unitPrice: money(unitPrice) };
      }),
    }),
  });
}

/**
 * A user or a guest sends an order to the orders service. It is placed or given up; a placed one is mostly shipped, and may
 * be cancelled before that, or come back in part. Money of either may go back. Of a user it is also known that a cart was
 * changed before; some leave it.
 */
export function publishCheckout(shop: Shop, publish: Publish): void {
  const { random, chance } = shop;
  const orderId = shop.id('ord');
  const user = chance(0.5) ? random.pick(shop.users) : null;
  const { currency, lines, totals } = goodsOf(shop, random.pick(shop.products));
  const common = { userId: user?.userId ?? null, segment: user?.role ?? ('guest' as const), currency };
  const begun = shop.moment();
  const sent = user && chance(0.8) ? shop.later(begun) : begun;
  const isPlaced = chance(0.8);
  if (user) {
    const shopper = { userId: user.userId, tier: user.role };
    publish(eventAt(shop, begun, ordersEvents.cartUpdated, shop.uuid(), shopper));
    // Some carts are left.
    if (chance(0.3)) return;
    publish(eventAt(shop, sent, ordersEvents.checkoutStarted, orderId, shopper));
  }
  if (isPlaced) {
    const placed = {
      orderId,
      recipient: { firstName: 'Robin', lastName: 'Reader', email: 'robin@example.com' },
      placedAt: new Date(sent).toISOString(),
      tier: user?.role ?? ('retail' as const),
      totals: allIn(currency, totals),
      lines: lines.map((line) => ({ ...line, unitPrice: moneyIn(currency)(line.unitPrice) })),
    };
    publish(
      user
        ? eventAt(shop, sent, ordersEvents.orderPlaced, orderId, { ...placed, userId: user.userId })
        : eventAt(shop, sent, ordersEvents.guestOrderPlaced, orderId, placed),
    );
  }
  const isCancelled = !isPlaced || chance(0.3);
  const ended = shop.later(sent);
  if (isPlaced && !isCancelled) publishDelivery(shop, publish, { orderId, placed: sent, lines, ...common });
  if (isCancelled)
    publish(
      eventAt(shop, ended, ordersEvents.orderCancelled, orderId, {
        ...common,
        from: isPlaced ? 'placed' : random.pick(['pending', 'awaiting-payment', 'closing'] as const),
        reason: isPlaced ? 'cancelled' : random.pick(['out_of_stock', 'unpaid', 'cancelled'] as const),
        sold: isPlaced ? { ...totals, lines } : null,
      }),
    );
  if (chance(isCancelled ? 0.7 : 0.2)) {
    const first = random.between(1, Math.max(1, totals.total));
    // The rest goes back later, or the refund has failed.
    const refunds = [first, ...(chance(0.3) ? [chance(0.5) ? -first : totals.total - first] : [])];
    for (const amount of refunds)
      publish(eventAt(shop, shop.later(ended), ordersEvents.orderRefunded, orderId, { ...common, amount }));
  }
  if (!isCancelled && chance(0.6)) {
    const sentBack = lines
      .slice(0, random.between(1, lines.length))
      .map(({ productId, variantId, quantity }, index) => {
        return { lineId: String(index + 1), productId, variantId, quantity: random.between(1, quantity) };
      });
    const returned = { ...common, returnId: shop.id('ret'), lines: sentBack, restocked: chance(0.8) };
    publish(eventAt(shop, shop.later(ended), ordersEvents.orderReturned, orderId, returned));
  }
}

/** An order is shipped, mostly at once, and mostly arrives. */
function publishDelivery(
  shop: Shop,
  publish: Publish,
  {
    orderId,
    placed,
    lines,
    userId,
    segment,
  }: {
    readonly orderId: string;
    readonly placed: number;
    readonly lines: ReturnType<typeof goodsOf>['lines'];
    readonly userId: string | null;
    readonly segment: 'trade' | 'retail' | 'guest';
  },
): void {
  const { chance } = shop;
  let moment = placed;
  const ship = (first: number, last?: number) => {
    moment = shop.later(moment);
    const shipped = lines.slice(first, last).map(({ unitPrice: _price, ...line }, index) => {
      return { lineId: String(first + index + 1), ...line };
    });
    const shipment = { shipmentId: shop.id('shpm'), userId, segment, lines: shipped };
    publish(eventAt(shop, moment, ordersEvents.orderShipped, orderId, shipment));
  };
  const isInParts = lines.length > 1 && chance(0.2);
  ship(0, isInParts ? 1 : undefined);
  if (isInParts) ship(1);
  if (chance(0.8))
    publish(eventAt(shop, shop.later(moment), ordersEvents.orderDelivered, orderId, { userId, segment }));
}

/** Some of the shop's goods, among them the product, and what they cost. Amounts are in minor units. */
function goodsOf(shop: Shop, product: Product) {
  const { random, chance } = shop;
  const currency = shop.currencyOf(shop);
  const products = [product, ...random.shuffle([...shop.products]).slice(0, random.between(0, 3))];
  const lines = products.map(({ id: productId, price: unitPrice, variants }) => ({
    productId,
    variantId: random.pick(variants),
    quantity: random.between(1, 5),
    unitPrice,
  }));
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  const discount = chance(0.4) ? random.between(0, subtotal) : 0;
  const [shipping, tax] = [random.between(0, 900), random.between(0, 500)];
  const total = subtotal - discount + shipping + tax;
  return { currency, lines, totals: { subtotal, discount, shipping, tax, total } };
}

function moneyIn(currency: string) {
  return (amount: number) => ({ amount, currency });
}

function allIn(currency: string, { subtotal, discount, shipping, tax, total }: ReturnType<typeof goodsOf>['totals']) {
  const money = moneyIn(currency);
  return {
    subtotal: money(subtotal),
    discount: money(discount),
    shipping: money(shipping),
    tax: money(tax),
    total: money(total),
  };
}
