import { billingEvents, billingHttp, fact, type Fact, type ordersEvents, type StateOf } from '@storefront/contracts';
import { spread } from '@storefront/money';
import { z } from 'zod';
import type { CreditRefusal } from '../../domain/credit.ts';
import type { Account } from '../../domain/account.ts';
import { isTaxed } from './vat.ts';
import type { Shop } from '../../domain/shop.ts';
import type { Draft, StatedTax } from './issue-invoice.ts';
import { grossOf, isDiscountAbove, isTooLarge, type GivenLine } from './sums.ts';

const faults = ['not-a-trade-account', 'other-currency', 'no-lines', 'too-many-lines', 'totals-differ'] as const;

/** Why an order can't be invoiced for any account. */
export type OrderFault = (typeof faults)[number];

/** An order that was refused an invoice. The refusal is final, so that the buyer gets only one notice. */
export const refusedOrder = z.object({
  /** The id of the order. */
  id: z.string(),
  accountId: z.string(),
  reason: z.enum(['limit', 'hold', ...faults]),
  refusedAt: z.date(),
});
export type RefusedOrder = StateOf<typeof refusedOrder>;

/** The total and the tax that the order system states, in minor units; the tax is null if it states none. */
interface OrderTotals {
  readonly total: number;
  readonly tax: number | null;
}

/** What of an order becomes its invoice. */
export interface OrderToInvoice {
  readonly lines: readonly GivenLine[];
  readonly totals: OrderTotals | null;
  /** null if the order system does not state the tax of every line. */
  readonly stated: StatedTax | null;
}

/**
 * Returns the invoice lines for an order and what the order system states about their sums; or the reason why the order
 * can't be invoiced. Shipping is the last line. Discounts and taxes that the order system states are taken as they are.
 */
export function readOrder(
  order: Pick<ordersEvents.OrderPlaced, 'tier' | 'lines' | 'totals' | 'shipping' | 'reverseCharge'> & {
    readonly recipient?: Pick<ordersEvents.OrderPlaced['recipient'], 'address'>;
  },
  shop: Pick<Shop, 'currency' | 'defaultTaxRate'>,
): OrderToInvoice | { readonly fault: OrderFault } {
  const { tier, lines = [], totals, shipping: transport = {} } = order;
  if (tier !== 'trade') return { fault: 'not-a-trade-account' };
  if (lines.length === 0) return { fault: 'no-lines' };
  const amounts = [
    ...lines.flatMap(({ unitPrice, discount, tax }) => [unitPrice, discount, tax]),
    transport.discount,
    transport.tax,
    ...(totals ? Object.values(totals) : []),
  ];
  if (amounts.some((amount) => amount && amount.currency !== shop.currency)) return { fault: 'other-currency' };

  const { defaultTaxRate } = shop;
  const shipping = totals?.shipping?.amount ?? 0;
  const ordered = [
    ...lines.map((line) => ({
      description: line.description ?? line.sku ?? line.productId,
      sku: line.sku ?? null,
      quantity: line.quantity,
      unitPrice: line.unitPrice.amount,
      discount: line.discount?.amount ?? 0,
      taxRate: line.taxRate ?? defaultTaxRate,
    })),
    ...(shipping > 0
      ? [
          {
            description: 'Shipping',
            sku: null,
            quantity: 1,
            unitPrice: shipping,
            discount: transport.discount?.amount ?? 0,
            taxRate: transport.taxRate ?? defaultTaxRate,
          },
        ]
      : []),
  ];
  if (ordered.length > billingHttp.maxInvoiceLines) return { fault: 'too-many-lines' };
  const parts = shipping > 0 ? [...lines, transport] : lines;
  if (ordered.some(isDiscountAbove) || isTooLarge(ordered)) return { fault: 'totals-differ' };
  const discounted = parts.some(({ discount }) => discount)
    ? ordered
    : withDiscount(ordered, totals?.discount?.amount ?? 0, lines.length);
  if (discounted === null) return { fault: 'totals-differ' };
  const taxes = parts.flatMap(({ tax }) => tax?.amount ?? []);
  return {
    lines: discounted,
    totals: totals ? { total: totals.total.amount, tax: totals.tax?.amount ?? null } : null,
    stated:
      taxes.length === parts.length
        ? { taxes, reverseCharge: order.reverseCharge, country: order.recipient?.address?.country ?? null }
        : null,
  };
}

/**
 * Whether the invoice has the total that the order system states. If the order system states a tax, totals with tax are
 * compared, else totals without tax. If the invoice charges no tax, totals without tax are compared, because an order
 * system that does not state the tax of the lines may not know that no tax is charged.
 */
export function isTotalOf(
  { subtotal, total, taxTreatment }: Draft,
  { totals, stated }: Pick<OrderToInvoice, 'totals' | 'stated'>,
): boolean {
  if (totals === null) return true;
  if (stated !== null) return totals.total === total;
  if (!isTaxed(taxTreatment)) return totals.total - (totals.tax ?? 0) === subtotal;
  return totals.total === (totals.tax === null ? subtotal : total);
}

/**
 * The reason to publish for an order that the account's credit does not allow. An account that is not open counts as on
 * hold.
 */
export function orderRefusalOf(refusal: CreditRefusal): 'limit' | 'hold' {
  return refusal === 'closed' ? 'hold' : refusal;
}

/** The event about an order that can't be invoiced. */
export function notInvoiced(accountId: string, orderRef: string, reason: OrderFault): Fact {
  return fact(billingEvents.orderNotInvoiced, accountId, { orderRef, reason });
}

/** The event about an order that the account's credit does not allow. */
export function exceeded(
  account: Account,
  orderRef: string,
  reason: 'limit' | 'hold',
  { total, currency }: { readonly total: number; readonly currency: string },
): Fact {
  const { id, limit, outstanding, reserved } = account;
  const owed = outstanding + reserved;
  return fact(billingEvents.creditExceeded, id, { currency, limit, outstanding: owed, orderRef, total, reason });
}

/**
 * Spreads the discount of the order over the lines, in proportion to their amounts: first over the goods, which are the
 * first `goods` lines, then over shipping. Null if the discount is larger than all lines together.
 */
function withDiscount(lines: readonly GivenLine[], discount: number, goods: number): readonly GivenLine[] | null {
  const nets = lines.map(grossOf);
  const ofGoods = nets.slice(0, goods).reduce((total, net) => total + net, 0);
  const ofAll = nets.reduce((total, net) => total + net, 0);
  if (discount > ofAll) return null;
  const part = (net: number) => ({ weight: net, atMost: net });
  const given = [
    ...spread(Math.min(discount, ofGoods), nets.slice(0, goods).map(part)),
    ...spread(Math.max(0, discount - ofGoods), nets.slice(goods).map(part)),
  ];
  return lines.map((line, index) => ({ ...line, discount: given[index] ?? 0 }));
}
