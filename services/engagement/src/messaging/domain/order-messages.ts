import type { ordersEvents } from '@storefront/contracts';
import type { Words, WordsInput } from './languages/language.ts';
import type { MailBlock, MailContent } from './layout.ts';
import type { NewNotification } from './notification.ts';
import { compose, notificationOf, wordsOf, type Writing } from './templates/compose.ts';

type Progress = ordersEvents.OrderProgress;
type OrderTemplate = Extract<keyof WordsInput, `order-${string}`>;

/** An order, as its mails show it. Amounts are in minor units. */
export interface OrderMail extends Pick<
  Progress,
  'number' | 'currency' | 'lines' | 'tracking' | 'refund' | 'totals' | 'taxIncluded' | 'payment'
> {
  readonly orderId: string;
  /** Null for a guest: anybody can order with another person's address, so the mail repeats no name that was typed. */
  readonly firstName: string | null;
}

/** The mail, and the type of the notification, about each kind of progress. */
export const orderTemplates = {
  confirmed: 'order-confirmed',
  'payment-failed': 'order-payment-failed',
  cancelled: 'order-cancelled',
  shipped: 'order-shipped',
  delivered: 'order-delivered',
  reduced: 'order-reduced',
  refunded: 'order-refunded',
  returned: 'order-returned',
} as const satisfies Readonly<Record<Progress['kind'], OrderTemplate>>;

/**
 * The mails about an order. `secret` is that with which a guest reads the order; null for a user. It is behind the # of the
 * link, so that no server and no log gets it.
 */
export const orderMails = {
  'order-confirmed': mailAs('order-confirmed', (order, writing) => [items(order, writing), sums(order, writing)]),
  'order-payment-failed': mailAs('order-payment-failed', (order, writing) => [items(order, writing)]),
  'order-cancelled': mailAs('order-cancelled', (order, writing) => [items(order, writing)]),
  'order-shipped': mailAs('order-shipped', (order, writing) => [items(order, writing), ...tracking(order, writing)]),
  'order-delivered': mailAs('order-delivered', (order, writing) => [items(order, writing)]),
  'order-reduced': mailAs('order-reduced', (order, writing) => [items(order, writing)]),
  'order-refunded': mailAs('order-refunded', (order, writing) =>
    order.lines.length === 0 ? [] : [items(order, writing)],
  ),
  'order-returned': mailAs('order-returned', (order, writing) => [items(order, writing)]),
};

/** The notification about the matter of such a mail. */
export function orderNotification(
  writing: Writing,
  userId: string,
  template: OrderTemplate,
  order: OrderMail,
): NewNotification {
  const { orderId, number } = order;
  const words = orderWords(writing, template, order, null);
  return { audience: userId, category: 'orders', type: template, ...notificationOf(words), data: { orderId, number } };
}

function mailAs(template: OrderTemplate, mainOf: (order: OrderMail, writing: Writing) => readonly MailBlock[]) {
  return (order: OrderMail, secret: string | null, writing: Writing): MailContent => {
    const { orderId, firstName } = order;
    return compose(writing, orderWords(writing, template, order, secret), {
      ...(firstName !== null && { firstName }),
      main: mainOf(order, writing),
      path: `/orders/${orderId}${secret === null ? '' : `#secret=${secret}`}`,
    });
  };
}

function orderWords(writing: Writing, template: OrderTemplate, order: OrderMail, secret: string | null): Words {
  const { number, totals, payment } = order;
  const money = moneyIn(order, writing);
  const [total, refund] = [money(totals.total), order.refund ? money(order.refund) : null];
  return wordsOf(writing, template, { number, total, refund, payment, isOpen: secret !== null });
}

/** The lines before discounts, which the sums name. Amounts are in minor units of the currency. */
export function items(
  order: {
    readonly currency: string;
    readonly lines: readonly Pick<OrderMail['lines'][number], 'name' | 'sku' | 'quantity' | 'unitPrice'>[];
  },
  writing: Writing,
): MailBlock {
  const money = moneyIn(order, writing);
  return {
    kind: 'items',
    items: order.lines.map(({ name, sku, quantity, unitPrice }) => ({
      name,
      detail: `${quantity} × ${money(unitPrice)} · ${sku}`,
      amount: money(quantity * unitPrice),
    })),
  };
}

/** Where the parcel can be followed, as far as the shop has said it. */
function tracking({ tracking: known }: OrderMail, { language: { figures, followParcel } }: Writing): MailBlock[] {
  const { carrier = null, number = null, url = null } = known ?? {};
  const rows = [
    ...(carrier === null ? [] : [[figures.carrier, carrier] as const]),
    ...(number === null ? [] : [[figures.trackingNumber, number] as const]),
  ];
  return [
    ...(rows.length === 0 ? [] : [{ kind: 'figures', rows } as const]),
    ...(url === null ? [] : [{ kind: 'link', label: followParcel, url } as const]),
  ];
}

function sums(order: OrderMail, writing: Writing): MailBlock {
  const { totals, taxIncluded, payment } = order;
  const { figures, payments } = writing.language;
  const money = moneyIn(order, writing);
  return {
    kind: 'figures',
    rows: [
      [figures.subtotal, money(totals.subtotal)],
      ...(totals.discount === 0 ? [] : [[figures.discount, money(-totals.discount)] as const]),
      [figures.shipping, money(totals.shipping)],
      ...(taxIncluded ? [] : [[figures.tax, money(totals.tax)] as const]),
      [figures.total, money(totals.total), 'strong'],
      ...(taxIncluded && totals.tax > 0 ? [[figures.taxIncluded, money(totals.tax)] as const] : []),
      [figures.payment, payments[payment]],
    ],
  };
}

function moneyIn({ currency }: { readonly currency: string }, { formats }: Writing): (amount: number) => string {
  return (amount) => formats.money({ amount, currency });
}
