import { derivedId, http, locale, ordersHttp, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

// All amounts are in minor units of the order's currency.
const amount = z.int();

const line = z.object({
  /** Names the line within the order: its place, from 1. */
  id: z.string(),
  productId: z.string(),
  variantId: z.string(),
  quantity: z.int(),
  /** The unit price that the cart has shown. */
  shownPrice: amount,
  /** What catalog has reserved, as it is at that moment; null before. */
  reserved: z
    .object({
      sku: z.string(),
      name: z.string(),
      values: z.array(z.string()),
      image: z.string().nullable(),
      unitPrice: amount,
      taxClass: z.enum(['standard', 'reduced', 'zero']),
      weight: z.int().nullable(),
      backOrdered: z.int(),
    })
    .nullable(),
  discount: amount,
  /** In basis points: 1900 are 19 %. */
  taxRate: z.int(),
  tax: amount,
  total: amount,
  /** How many pieces have left the shop. */
  shipped: z.int(),
  cancelled: z.int(),
  /** How many pieces were refunded without being cancelled. */
  refunded: z.int(),
  /** How many of the shipped pieces have come back. */
  returned: z.int(),
});
export type OrderLine = StateOf<typeof line>;

const somePieces = z.array(z.object({ lineId: z.string(), quantity: z.int() }));
/** So many pieces of some lines. */
export type SomePieces = StateOf<typeof somePieces>;

const shipment = z.object({
  id: z.string(),
  lines: somePieces,
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  trackingUrl: z.string().nullable(),
  shippedAt: z.date(),
});
export type Shipment = StateOf<typeof shipment>;

const orderReturn = z.object({
  id: z.string(),
  status: ordersHttp.returnStatus,
  /** What was announced; once it is received, what has come. */
  lines: somePieces,
  /** null once the buyer is erased. */
  reason: z.string().nullable(),
  /** Whether what has come can be sold again. */
  isRestocked: z.boolean(),
  requestedAt: z.date(),
  receivedAt: z.date().nullable(),
});
export type OrderReturn = StateOf<typeof orderReturn>;

const address = z.object({
  firstName: z.string(),
  lastName: z.string(),
  company: z.string().nullable(),
  homeAddress: z.string(),
  city: z.string(),
  state: z.string().nullable(),
  country: z.string(),
  phone: z.string().nullable(),
});

export type OrderAddress = StateOf<typeof address>;

const totals = z.object({ subtotal: amount, discount: amount, shipping: amount, tax: amount, total: amount });

/** Who ends an order before it is placed, or why. */
const closingReason = z.enum(['unpaid', 'cancelled', 'erased']);
export type ClosingReason = z.infer<typeof closingReason>;

/**
 * An order: what the buyer wants, what the other services have answered so far, and when they are asked again. It is
 * changed only by `advance`.
 */
export const order = z.object({
  id: z.string(),
  /** Taken when the order is placed. */
  number: z.string().nullable(),
  status: ordersHttp.orderStatus,
  /** The key of the cart, which stands still until the order is over. */
  cartKey: z.string(),
  /** null for a guest. */
  userId: z.string().nullable(),
  /** Of a guest. */
  email: z.string().nullable(),
  /** The language in which the order was sent; null for the shop's. */
  locale: locale.nullable(),
  tier: z.enum(['retail', 'trade']),
  currency: z.string(),
  lines: z.array(line),
  codes: z.array(z.string()),
  discounts: z.array(z.object({ campaignId: z.string(), name: z.string(), code: z.string().nullable(), amount })),
  /** The discounts that engagement holds; null before, and where nothing applies. */
  redemptionId: z.string().nullable(),
  shipping: z.object({
    optionId: z.string(),
    name: z.string(),
    /** null before the stock is reserved. */
    price: amount.nullable(),
    discount: amount,
    taxRate: z.int(),
    tax: amount,
  }),
  totals,
  expectedTotal: amount,
  taxIncluded: z.boolean(),
  reverseCharge: z.boolean(),
  /** Where account says that the order goes: one of the buyer's addresses, or a saved recipient; null once it has said so. */
  saved: z
    .object({
      kind: z.enum(['address', 'customer']),
      id: z.string(),
      /** Who receives it; null of a recipient, who has a name. */
      recipient: z.object({ firstName: z.string(), lastName: z.string(), company: z.string().nullable() }).nullable(),
    })
    .nullable(),
  /** null while account is asked for it. */
  shippingAddress: address.nullable(),
  /** null where the shipping address is still unknown and there is no other. */
  billingAddress: address.nullable(),
  payment: z.object({
    method: ordersHttp.paymentMethod,
    /** The attempt that is open, or the last one; null before the payment is requested. */
    id: z.string().nullable(),
    attempts: z.int(),
    redirectUrl: z.string().nullable(),
    status: ordersHttp.orderPaymentStatus,
    received: amount,
    refunded: amount,
    disputed: amount,
    /** What is to go back and the provider refuses to refund. */
    refundsFailed: amount,
    /** The sequence of the newest event about the money. */
    sequence: z.int(),
  }),
  returnUrl: z.string().nullable(),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  /** What staff have noted; its buyer never sees it. */
  staffNote: z.string().nullable(),
  /** Why it is closing, or was cancelled while it was not placed. */
  closingReason: closingReason.nullable(),
  /** Why it is refused: an error of `ordersErrors`, as the buyer is answered. */
  refusal: z.object({ code: z.string(), detail: z.string(), members: z.record(z.string(), z.unknown()) }).nullable(),
  /** What a guest reads the order with: a digest of it, and itself, encrypted for the mail. null for users. */
  secret: z.object({ digest: z.string(), sealed: z.string() }).nullable(),
  /** Since when it has the status. */
  statusSince: z.date(),
  /** When others were asked what the order waits for, and how often they were asked again. */
  askedAt: z.date(),
  repetitions: z.int(),
  /** What the order counts against while it is unpaid: its buyer, and the network it was sent from. */
  unpaidKeys: z.array(z.string()),
  /** When its personal data is to be erased; null as long as nobody has asked for it. */
  forgetAt: z.date().nullable(),
  /** When something is due if nobody has answered by then; null where the order waits for nobody. */
  dueAt: z.date().nullable(),
  /** From when on staff have to see to it, if nobody has answered by then; null where the order waits for nobody. */
  stuckAt: z.date().nullable(),
  isShippingRefunded: z.boolean(),
  /** What was refunded besides lines and shipping. */
  goodwill: amount,
  shipments: z.array(shipment),
  returns: z.array(orderReturn),
  /** Follows from the lines and `deliveredAt`; stored for the lists of staff. */
  fulfilment: ordersHttp.fulfilmentStatus,
  deliveredAt: z.date().nullable(),
  timeline: z.array(
    z.object({
      at: z.date(),
      what: z.string(),
      by: z.enum(['buyer', 'shop', 'system']),
      lines: somePieces,
      /** What goes back to the buyer because of it. */
      amount: amount.nullable(),
      /** What staff have written about it. */
      reason: z.string().nullable(),
      /** The id of the cancelled part, the refund or the return. */
      changeId: z.string().nullable(),
    }),
  ),
  placedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Order = StateOf<typeof order>;

/** What a buyer sends, after it was checked. */
export type NewOrder = Pick<
  Order,
  | 'id'
  | 'cartKey'
  | 'userId'
  | 'email'
  | 'locale'
  | 'tier'
  | 'currency'
  | 'codes'
  | 'expectedTotal'
  | 'saved'
  | 'shippingAddress'
  | 'billingAddress'
  | 'returnUrl'
  | 'reference'
  | 'note'
  | 'secret'
  | 'unpaidKeys'
> & {
  readonly lines: readonly Pick<OrderLine, 'productId' | 'variantId' | 'quantity' | 'shownPrice'>[];
  readonly shippingOption: { readonly id: string; readonly name: string };
  readonly method: Order['payment']['method'];
};

/** Makes the order before anybody is asked. */
export function newOrder({ lines, shippingOption, method, ...given }: NewOrder, now: Date): Order {
  return {
    ...given,
    number: null,
    status: 'pending',
    lines: lines.map((each, index) => ({
      ...each,
      id: String(index + 1),
      reserved: null,
      discount: 0,
      taxRate: 0,
      tax: 0,
      total: 0,
      shipped: 0,
      cancelled: 0,
      refunded: 0,
      returned: 0,
    })),
    discounts: [],
    redemptionId: null,
    shipping: {
      optionId: shippingOption.id,
      name: shippingOption.name,
      price: null,
      discount: 0,
      taxRate: 0,
      tax: 0,
    },
    totals: { subtotal: 0, discount: 0, shipping: 0, tax: 0, total: 0 },
    taxIncluded: given.tier === 'retail',
    reverseCharge: false,
    payment: {
      method,
      id: null,
      attempts: 0,
      redirectUrl: null,
      status: 'none',
      received: 0,
      refunded: 0,
      disputed: 0,
      refundsFailed: 0,
      sequence: 0,
    },
    closingReason: null,
    refusal: null,
    statusSince: now,
    askedAt: now,
    repetitions: 0,
    forgetAt: null,
    dueAt: null,
    stuckAt: null,
    isShippingRefunded: false,
    goodwill: 0,
    shipments: [],
    returns: [],
    fulfilment: 'open',
    deliveredAt: null,
    timeline: [],
    staffNote: null,
    placedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Whether nothing of the order is reserved any more, and nothing will be. */
export function isOver({ status }: Pick<Order, 'status'>): boolean {
  return status === 'refused' || status === 'cancelled';
}

/** Whether the order counts among those that its buyer has not paid. */
export function isUnpaid({ status }: Pick<Order, 'status'>): boolean {
  return status === 'pending' || status === 'awaiting-payment' || status === 'closing';
}

// So long a placed order may still be delivered, or come back.
const keptDays = 30;

/** When the person of an erased order is forgotten, if nothing more happens to it. */
export function forgetAtAfter(now: Date): Date {
  return new Date(now.getTime() + keptDays * 24 * 60 * 60 * 1000);
}

/** Orders that were sent before this time are deleted: `years` are over since the end of the year of each. */
export function keptSince(now: Date, years: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - years, 0, 1));
}

/** Whether it is known whose the order is: until it is forgotten. */
export function hasBuyer({ userId, email }: Pick<Order, 'userId' | 'email'>): boolean {
  return userId !== null || email !== null;
}

/** The order without anything that says whose it was. Numbers, goods and amounts stay: they are bookkeeping. */
export function withoutPerson(current: Order): Order {
  const nobody = (of: Order['shippingAddress']) => {
    if (of === null) return null;
    const nothing = { firstName: '', lastName: '', company: null, homeAddress: '', city: '', state: null, phone: null };
    return { ...nothing, country: of.country };
  };
  return {
    ...current,
    userId: null,
    email: null,
    saved: null,
    shippingAddress: nobody(current.shippingAddress),
    billingAddress: nobody(current.billingAddress),
    returnUrl: null,
    reference: null,
    note: null,
    staffNote: null,
    secret: null,
    unpaidKeys: [],
    shipments: current.shipments.map((each) => ({ ...each, trackingNumber: null, trackingUrl: null })),
    returns: current.returns.map((each) => ({ ...each, reason: null })),
    timeline: current.timeline.map((each) => ({ ...each, reason: null })),
    forgetAt: null,
  };
}

/** Where the order goes. Throws while account is asked for it: nothing that needs it happens before. */
export function addressOf({ id, shippingAddress }: Pick<Order, 'id' | 'shippingAddress'>): OrderAddress {
  if (shippingAddress === null) throw new Error(`${id} has no address yet`);
  return shippingAddress;
}

/** What catalog has reserved of the line. Throws before it has: nothing that needs it happens then. */
export function reservedIn({ id, reserved }: OrderLine): NonNullable<OrderLine['reserved']> {
  if (reserved === null) throw new Error(`line ${id} is not reserved`);
  return reserved;
}

/** The id of the next attempt to pay the order. The same attempt always has the same id. */
export function nextPaymentId({ id, payment }: Pick<Order, 'id' | 'payment'>): string {
  return derivedId('pay', id, `attempt ${payment.attempts + 1}`);
}

/** An amount of the order as the API shows it. */
export function moneyOf({ currency }: Pick<Order, 'currency'>, value: number): http.Money {
  return { amount: value, currency };
}
