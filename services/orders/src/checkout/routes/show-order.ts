import type { ordersHttp } from '@storefront/contracts';
import { attentionOf } from '../domain/attention.ts';
import { keptOf } from '../domain/kept.ts';
import { moneyOf, type Order } from '../domain/order.ts';

interface Showing {
  readonly apiUrl: string;
  /** The time, where it is shown with what is for staff alone; null for its buyer. */
  readonly staffAt?: Date | null;
  /** For the guest who has sent it just now. */
  readonly secret?: string | null;
}

/** The order as the API shows it. */
export function showOrder(order: Order, { apiUrl, staffAt = null, secret = null }: Showing): ordersHttp.OrderBody {
  const money = (amount: number) => moneyOf(order, amount);
  const { shipping, totals, payment } = order;
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    fulfilmentStatus: order.fulfilment,
    paymentStatus: payment.status,
    userId: order.userId,
    email: order.email,
    lines: order.lines.map(({ reserved, ...line }) => ({
      id: line.id,
      productId: line.productId,
      variantId: line.variantId,
      sku: reserved?.sku ?? null,
      name: reserved?.name ?? null,
      values: [...(reserved?.values ?? [])],
      image: reserved?.image ? new URL(reserved.image, apiUrl).href : null,
      quantity: line.quantity,
      shipped: line.shipped,
      cancelled: line.cancelled,
      refunded: line.refunded,
      returned: line.returned,
      backOrdered: reserved?.backOrdered ?? 0,
      unitPrice: reserved && money(reserved.unitPrice),
      discount: money(line.discount),
      taxRate: line.taxRate / 100,
      tax: money(line.tax),
      total: money(line.total),
    })),
    discounts: order.discounts.map(({ amount, ...discount }) => ({ ...discount, amount: money(amount) })),
    shipping: {
      optionId: shipping.optionId,
      name: shipping.name,
      price: shipping.price === null ? null : money(shipping.price),
      discount: money(shipping.discount),
      taxRate: shipping.taxRate / 100,
      tax: money(shipping.tax),
    },
    totals: {
      subtotal: money(totals.subtotal),
      discount: money(totals.discount),
      shipping: money(totals.shipping),
      tax: money(totals.tax),
      total: money(totals.total),
      paid: money(payment.received),
      refunded: money(payment.refunded),
      kept: money(order.status === 'placed' ? keptOf(order) : 0),
    },
    taxIncluded: order.taxIncluded,
    reverseCharge: order.reverseCharge,
    shippingAddress: order.shippingAddress,
    billingAddress: order.billingAddress,
    payment: {
      method: payment.method,
      id: payment.id,
      redirectUrl: order.status === 'awaiting-payment' ? payment.redirectUrl : null,
    },
    refusal: order.refusal && { code: order.refusal.code, detail: order.refusal.detail },
    reference: order.reference,
    note: order.note,
    shipments: order.shipments.map(({ lines, shippedAt, ...shipment }) => ({
      ...shipment,
      lines: [...lines],
      shippedAt: shippedAt.toISOString(),
    })),
    returns: order.returns.map(({ id, status, lines, reason, requestedAt, receivedAt }) => ({
      id,
      status,
      lines: [...lines],
      reason,
      requestedAt: requestedAt.toISOString(),
      receivedAt: receivedAt?.toISOString() ?? null,
    })),
    timeline: order.timeline.map(({ at, what, by, lines, amount, reason }) => ({
      at: at.toISOString(),
      what,
      by,
      lines: [...lines],
      amount: amount === null ? null : money(amount),
      reason: staffAt === null ? null : reason,
    })),
    placedAt: order.placedAt?.toISOString() ?? null,
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
    ...(staffAt !== null && { staffNote: order.staffNote, attention: attentionOf(order, staffAt) }),
    ...(secret !== null && { orderSecret: secret }),
  };
}
