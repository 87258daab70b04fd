import { catalogHttp, type ordersHttp } from '@storefront/contracts';
import { toPercent } from '../../domain/tax.ts';
import { keptDays, type Cart } from '../domain/cart.ts';
import { subtotalOf, type PricedLine, type Pricing } from '../domain/priced-cart.ts';
import type { Quote } from '../domain/quote.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Shows a cart. `id` is its secret id, `apiUrl` the public address of the API. */
export function showCart(
  cart: Cart,
  lines: readonly PricedLine[],
  { id, apiUrl, tier, currency }: Pricing & { readonly id: string; readonly apiUrl: string },
): ordersHttp.CartBody {
  const money = (amount: number) => ({ amount, currency });
  return {
    id,
    lines: lines.map(({ line, product, variant, unitPrice, available, problem }) => ({
      productId: line.productId,
      variantId: line.variantId,
      sku: variant?.sku ?? null,
      // Without the copy, which `republish` makes anew, not even the name is known.
      name: product?.name ?? line.productId,
      values: [...(variant?.values ?? [])],
      image: product?.image ? catalogHttp.shownPicture(product.image, apiUrl) : null,
      quantity: line.quantity,
      unitPrice: money(unitPrice),
      subtotal: money(unitPrice * line.quantity),
      available,
      backOrders: product?.backOrders ?? { allowed: false, text: null },
      availableFrom: product?.availableFrom?.toISOString() ?? null,
      problem,
    })),
    subtotal: money(subtotalOf(lines)),
    taxIncluded: tier === 'retail',
    codes: [...cart.codes],
    note: cart.note,
    shippingOptionId: cart.shippingOptionId,
    country: cart.country,
    orderId: cart.orderId,
    createdAt: cart.createdAt.toISOString(),
    updatedAt: cart.updatedAt.toISOString(),
    expiresAt: new Date(cart.updatedAt.getTime() + keptDays * dayMs).toISOString(),
  };
}

export function showQuote(
  { lines, option, reverseCharge, input, totals }: Quote,
  { tier, currency }: Pricing,
): ordersHttp.CartQuoteBody {
  const money = (amount: number) => ({ amount, currency });
  return {
    lines: lines.flatMap(({ line, unitPrice, problem }, index) => {
      const [given, total] = [input.lines[index], totals.lines[index]];
      if (!given || !total) return [];
      return [
        {
          variantId: line.variantId,
          quantity: line.quantity,
          unitPrice: money(unitPrice),
          subtotal: money(total.subtotal),
          discount: money(given.discount),
          taxRate: toPercent(given.taxRate),
          tax: money(total.tax),
          total: money(total.total),
          problem,
        },
      ];
    }),
    shipping: {
      optionId: option.id,
      name: option.name,
      price: money(input.shipping.price),
      discount: money(input.shipping.discount),
      taxRate: toPercent(input.shipping.taxRate),
      tax: money(totals.shipping.tax),
      total: money(totals.shipping.total),
    },
    totals: {
      subtotal: money(totals.subtotal),
      discount: money(totals.discount),
      shipping: money(input.shipping.price),
      tax: money(totals.tax),
      total: money(totals.total),
    },
    taxIncluded: input.taxIncluded,
    reverseCharge,
    expectedTotal: money(totals.total),
    payments: [
      { method: 'card', available: true, reason: null },
      tier === 'trade'
        ? { method: 'invoice', available: true, reason: null }
        : { method: 'invoice', available: false, reason: 'trade_account_required' },
    ],
  };
}
