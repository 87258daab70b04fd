import { billingEvents, billingHttp, fact, type Fact, type ordersEvents, type StateOf } from '@storefront/contracts';
import { spread } from '@storefront/money';
import { z } from 'zod';
import type { CreditRefusal } from '../../domain/credit.ts';
import type { Account } from '../../domain/account.ts';
import { isTaxed } from './vat.ts';
import type { Shop } from '../../domain/shop.ts';
import type { Draft } from './issue-invoice.ts';
import { grossOf, isTooLarge, type GivenLine } from './sums.ts';

const faults = ['not-a-trade-account', 'other-currency', 'no-lines', 'too-many-lines', 'totals-differ'] as const;

/** Why an order can have no invoice, whoever placed it. */
export type OrderFault = (typeof faults)[number];

/** An order that was not invoiced. It stays so, so that its buyer gets one notice of it. */
export const refusedOrder = z.object({
  /** The order's. */
  id: z.string(),
  accountId: z.string(),
  reason: z.enum(['limit', 'hold', ...faults]),
  refusedAt: z.date(),
});
export type RefusedOrder = StateOf<typeof refusedOrder>;

/** The total and tax that the order system states; the tax is null where it states none. */
export interface OrderTotals {
  readonly total: number;
  readonly tax: number | null;
}

/** The lines of the invoice for an order and the totals that they must have; or why the order can have no invoice. */
export function readOrder(
  order: Pick<ordersEvents.OrderPlaced, 'tier' | 'lines' | 'totals' | 'total'>,
  shop: Pick<Shop, 'currency' | 'defaultTaxRate'>,
): { readonly lines: readonly GivenLine[]; readonly totals: OrderTotals | null } | { readonly fault: OrderFault } {
  const { tier, lines = [], totals } = order;
  if (tier !== 'trade') return { fault: 'not-a-trade-account' };
  if (lines.length === 0) return { fault: 'no-lines' };
  const total = totals?.total ?? order.total;
  const amounts = [
    ...lines.map(({ unitPrice }) => unitPrice),
    ...[totals?.subtotal, totals?.discount, totals?.shipping, totals?.tax, total].filter((each) => each !== undefined),
  ];
  if (amounts.some(({ currency }) => currency !== shop.currency)) return { fault: 'other-currency' };

  const { defaultTaxRate } = shop;
  const shipping = totals?.shipping?.amount ?? 0;
  const ordered = [
    ...lines.map((line) => ({
      description: line.description ?? line.sku ?? line.productId,
      sku: line.sku ?? null,
      quantity: line.quantity,
      unitPrice: line.unitPrice.amount,
      discount: 0,
      taxRate: line.taxRate ?? defaultTaxRate,
    })),
    ...(shipping > 0
      ? [{ description: 'Shipping', sku: null, quantity: 1, unitPrice: shipping, discount: 0, taxRate: defaultTaxRate }]
      : []),
  ];
  if (ordered.length > billingHttp.maxInvoiceLines) return { fault: 'too-many-lines' };
  if (isTooLarge(ordered)) return { fault: 'totals-differ' };
  const discounted = withDiscount(ordered, totals?.discount?.amount ?? 0, lines.length);
  if (discounted === null) return { fault: 'totals-differ' };
  return { lines: discounted, totals: total ? { total: total.amount, tax: totals?.tax?.amount ?? null } : null };
}

/**
 * Whether the order system states the same total: with tax where it states one, else without. Where the invoice charges none, no
 * tax is compared, as the order system may not know of that.
 */
export function isTotalOf({ subtotal, total, taxTreatment }: Draft, stated: OrderTotals): boolean {
  if (!isTaxed(taxTreatment)) return stated.total - (stated.tax ?? 0) === subtotal;
  return stated.total === (stated.tax === null ? subtotal : total);
}

/** The published reason for which an order is not invoiced: an account that is not open counts as on hold. */
export function orderRefusalOf(refusal: CreditRefusal): 'limit' | 'hold' {
  return refusal === 'closed' ? 'hold' : refusal;
}

/** The event about an order that can have no invoice. */
export function notInvoiced(accountId: string, orderRef: string, reason: OrderFault): Fact {
  return fact(billingEvents.orderNotInvoiced, accountId, { orderRef, reason });
}

/** The event about an order for which the account has no credit. */
export function exceeded(
  account: Account,
  orderRef: string,
  reason: 'limit' | 'hold',
  { total, currency }: { readonly total: number; readonly currency: string },
): Fact {
  const { id, limit, outstanding } = account;
  return fact(billingEvents.creditExceeded, id, { currency, limit, outstanding, orderRef, total, reason });
}

/**
 * The lines with the discount of the order spread over them by their amounts: first over the `goods` lines, then over shipping. Null where
 * the discount is larger than all of them.
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
