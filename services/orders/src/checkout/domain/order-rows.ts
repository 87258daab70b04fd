import type { Calendar } from '@storefront/calendar';
import type { CsvCell } from '@storefront/csv';
import { toPercent } from '../../domain/tax.ts';
import { atRates } from './at-rates.ts';
import { segmentOf } from './order-facts.ts';
import { addressOf, moneyOf, type Order } from './order.ts';

/** The columns of an export of orders. */
export const orderColumns = [
  'number',
  'id',
  'placedOn',
  'placedAt',
  'status',
  'segment',
  'country',
  'reference',
  'paymentMethod',
  'reverseCharge',
  'currency',
  'taxRate',
  'net',
  'tax',
  'gross',
  'shipping',
  'discount',
  'received',
  'refunded',
] as const;

/** What an export reads of an order. */
export const exportedFields = [
  'number',
  'placedAt',
  'status',
  'email',
  'tier',
  'timeline',
  'shippingAddress',
  'reference',
  'payment',
  'reverseCharge',
  'taxIncluded',
  'currency',
  'lines',
  'shipping',
] as const satisfies readonly (keyof Order)[];

export type ExportedOrder = Pick<Order, 'id' | (typeof exportedFields)[number]>;

/**
 * The rows of a placed order: one for each tax rate. What was received and refunded is of the whole order, so only its first
 * row has it: then all columns can be added up.
 */
export function rowsOfOrder(order: ExportedOrder, { dayOf }: Pick<Calendar, 'dayOf'>): CsvCell[][] {
  const { placedAt, payment } = order;
  if (placedAt === null) throw new Error(`${order.id} is not placed`);
  const money = (amount: number) => moneyOf(order, amount);
  return atRates(order).map(({ rate, net, tax, gross, shipping, discount }, index) => [
    order.number,
    order.id,
    dayOf(placedAt),
    placedAt.toISOString(),
    order.status,
    segmentOf(order),
    addressOf(order).country,
    order.reference,
    payment.method,
    String(order.reverseCharge),
    order.currency,
    toPercent(rate),
    money(net),
    money(tax),
    money(gross),
    money(shipping),
    money(discount),
    index === 0 ? money(payment.received) : null,
    index === 0 ? money(payment.refunded) : null,
  ]);
}
