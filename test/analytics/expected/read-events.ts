import {
  accountEvents,
  billingEvents,
  engagementEvents,
  identityEvents,
  ordersEvents,
  type Event,
  type EventContract,
  type EventOf,
} from '@storefront/contracts';
import type { Happened, Segment } from './happened.ts';

type Said = Pick<Happened, 'what'> & Partial<Pick<Happened, 'of' | 'currency' | 'amounts'>>;

/** What one event says: when it was, of whom, and what. */
interface Saying {
  readonly at?: string;
  readonly segment: Segment;
  /** Of whom it is. */
  readonly userId?: string | null | undefined;
  /** Whether that user did it; where nothing is said, they did. */
  readonly isActive?: boolean;
  readonly said: readonly Said[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const suppressions: ReadonlySet<string> = new Set(['address_bounced', 'switched_off_by_user', 'announcement_stopped']);

type Reader = (event: Event) => Saying | null;

function reads<Contract extends EventContract>(
  contract: Contract,
  read: (event: EventOf<Contract>) => Saying | null,
): [string, Reader] {
  // Received events have been checked against their contracts.
  return [contract.type, (event) => read({ ...event, data: contract.data.parse(event.data) } as EventOf<Contract>)];
}

/** What reports are about in each kind of event. An event of another kind says nothing, but that its user was active. */
const readers: ReadonlyMap<string, Reader> = new Map([
  reads(identityEvents.userRegistered, ({ sequence, data: { registeredAt } }) =>
    sequence === 1 ? { at: registeredAt, segment: 'retail', said: [{ what: 'begun' }] } : null,
  ),
  reads(identityEvents.tradeAccountRegistered, ({ sequence, data: { registeredAt, appliesAgain } }) =>
    sequence === 1 && !appliesAgain ? { at: registeredAt, segment: 'trade', said: [{ what: 'begun' }] } : null,
  ),
  reads(identityEvents.userVerified, ({ subject, data: { role } }) =>
    role === 'retail' || role === 'trade' ? { segment: role, userId: subject, said: [{ what: 'verified' }] } : null,
  ),
  reads(identityEvents.tradeAccountSubmitted, ({ subject }) => ({
    segment: 'trade',
    userId: subject,
    said: [{ what: 'applied' }],
  })),
  reads(identityEvents.tradeAccountApproved, ({ time, data }) => ({
    segment: 'trade',
    said: [{ what: 'approved', amounts: { hours: twoDigits(data.submittedAt, time, hourMs) } }],
  })),
  reads(identityEvents.tradeAccountRejected, ({ time, data }) => ({
    segment: 'trade',
    said: [{ what: 'rejected', amounts: { hours: twoDigits(data.submittedAt, time, hourMs) } }],
  })),
  reads(ordersEvents.orderPlaced, ({ data }) => readOrder(data, { segment: data.tier, userId: data.userId })),
  reads(ordersEvents.guestOrderPlaced, ({ data }) => readOrder(data, { segment: 'guest' })),
  reads(ordersEvents.orderCancelled, ({ data }) => readCancellation(data)),
  reads(ordersEvents.orderRefunded, ({ data: { segment, currency, amount } }) => ({
    segment,
    said: [{ what: 'order refunded', currency, amounts: { amount } }],
  })),
  reads(ordersEvents.orderReturned, ({ data: { segment, currency, lines } }) => ({
    segment,
    said: lines.map(({ quantity: units }) => ({ what: 'order returned', currency, amounts: { units } })),
  })),
  reads(ordersEvents.cartUpdated, ({ data: { userId, tier } }) => ({
    segment: tier,
    userId,
    said: [{ what: 'carted' }],
  })),
  reads(ordersEvents.orderShipped, ({ data: { userId, segment } }) => ({
    segment,
    userId,
    isActive: false,
    said: [{ what: 'shipped' }],
  })),
  reads(ordersEvents.orderDelivered, ({ data: { userId, segment } }) => ({
    segment,
    userId,
    isActive: false,
    said: [{ what: 'arrived' }],
  })),
  reads(ordersEvents.checkoutStarted, ({ data: { userId, tier } }) => ({
    segment: tier,
    userId,
    said: [{ what: 'checkout' }],
  })),
  reads(accountEvents.wishlistItemAdded, ({ subject, data: { productId, variantId, tier } }) => ({
    segment: tier,
    userId: subject,
    said: [
      { what: 'wished', of: productId },
      { what: 'variant wished', of: variantOf({ productId, variantId }) },
    ],
  })),
  reads(accountEvents.wishlistItemRemoved, ({ subject, data: { productId, tier } }) => ({
    segment: tier,
    userId: subject,
    said: [{ what: 'unwished', of: productId }],
  })),
  reads(accountEvents.wishlistAlertRaised, ({ data: { userId, productId, tier } }) => ({
    segment: tier,
    userId,
    isActive: false,
    said: [{ what: 'alerted', of: productId }],
  })),
  reads(accountEvents.addressChanged, ({ subject }) => ({ segment: 'retail', userId: subject, said: [] })),
  reads(accountEvents.customerSaved, ({ data: { userId } }) => ({ segment: 'retail', userId, said: [] })),
  reads(engagementEvents.notificationRequested, ({ data }) => notified(data, [{ what: 'requested' }])),
  reads(engagementEvents.notificationDelivered, ({ data }) => notified(data, [{ what: 'delivered' }])),
  reads(engagementEvents.notificationFailed, ({ data }) =>
    notified(data, [{ what: suppressions.has(data.reason) ? 'suppressed' : 'failed' }]),
  ),
  reads(engagementEvents.notificationRead, ({ data }) => ({
    ...notified(data, [{ what: 'read', amounts: { minutes: twoDigits(data.requestedAt, data.readAt, minuteMs) } }]),
    at: data.readAt,
    userId: data.userId,
  })),
  reads(engagementEvents.discountRedeemed, ({ data }) => ({ ...taken('redeemed', data), userId: data.userId })),
  reads(engagementEvents.discountRetaken, ({ data }) => ({ ...taken('redeemed', data), userId: data.userId })),
  reads(engagementEvents.discountConfirmed, ({ data: { segment, currency, withdrawn } }) =>
    withdrawn === undefined ? { segment, said: [] } : taken('withdrawn', { segment, currency, ...withdrawn }),
  ),
  reads(engagementEvents.discountReleased, ({ data }) => taken('released', data)),
  reads(billingEvents.invoiceIssued, ({ data }) => readInvoice(data)),
  reads(billingEvents.invoicePaid, ({ data: { currency, total, paidAt, issuedAt } }) => ({
    at: paidAt,
    segment: 'trade',
    said: [{ what: 'paid', currency, amounts: { total, days: twoDigits(issuedAt, paidAt, dayMs) } }],
  })),
  reads(billingEvents.invoiceOverdue, ({ data: { currency, balance } }) => ({
    segment: 'trade',
    said: [{ what: 'overdue', currency, amounts: { balance } }],
  })),
  reads(billingEvents.invoiceBalanceChanged, ({ data: { currency, dueOn, delta, changedAt } }) => ({
    at: changedAt,
    segment: 'trade',
    said: [{ what: 'owed', of: dueOn, currency, amounts: { delta } }],
  })),
]);

/** What the events say, each once, however often it is among them. */
export function readEvents(events: readonly Event[]): Happened[] {
  const distinct = new Map(events.map((event) => [event.id, event]));
  return [...distinct.values()].flatMap((event) => {
    const saying = readers.get(event.type)?.(event);
    if (!saying) return [];
    const { at = event.time, segment, userId, said, isActive = userId !== undefined } = saying;
    const who = userId ?? null;
    const active: Said[] = isActive && who !== null ? [{ what: 'active' }] : [];
    return [...said, ...active].map((each) => ({
      of: '',
      currency: '',
      amounts: {},
      ...each,
      id: event.id,
      at: Date.parse(at),
      segment,
      who,
    }));
  });
}

function notified(
  { channel, category, segment = 'guest' }: { channel: string; category: string; segment?: Segment | undefined },
  said: readonly Said[],
): Saying {
  return { segment, said: said.map((each) => ({ ...each, of: `${channel} ${category}` })) };
}

function taken(
  what: 'redeemed' | 'released' | 'withdrawn',
  {
    segment,
    currency,
    total,
    campaigns,
  }: Pick<EventOf<typeof engagementEvents.discountRedeemed>['data'], 'segment' | 'currency' | 'total'> & {
    readonly campaigns: readonly { readonly campaignId: string; readonly amount: number }[];
  },
): Saying {
  const said = campaigns.map(({ campaignId, amount }) => ({
    what,
    of: campaignId,
    currency,
    amounts: { discount: amount, orderValue: total },
  }));
  return { segment, said };
}

/** An invoice of no order is a sale by itself, which nobody ordered. */
function readInvoice({
  currency,
  total,
  orderRef,
  document,
}: EventOf<typeof billingEvents.invoiceIssued>['data']): Saying {
  const sum = (of: (line: (typeof document.lines)[number]) => number) =>
    document.lines.reduce((all, line) => all + of(line), 0);
  const [net, discount] = [sum((line) => line.net), sum((line) => line.discount)];
  const units = sum(({ quantity }) => quantity);
  const sale: Said = { what: 'sale', currency, amounts: { units, gross: net + discount, discount, net } };
  const said: Said[] = [{ what: 'invoiced', currency, amounts: { total } }];
  return { segment: 'trade', said: orderRef === null ? [...said, sale] : said };
}

function readOrder(
  data: Pick<ordersEvents.OrderPlaced, 'totals' | 'lines' | 'placedAt'>,
  by: Pick<Saying, 'segment' | 'userId'>,
): Saying {
  const { totals, lines = [] } = data;
  const money = totals?.total ?? lines[0]?.unitPrice;
  const currency = money?.currency ?? '';
  const ofLines = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice.amount, 0);
  const discount = totals?.discount?.amount ?? 0;
  const gross = totals?.subtotal?.amount ?? (lines.length > 0 ? ofLines : (money?.amount ?? 0) + discount);
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const total = totals?.total.amount ?? gross - discount;
  return {
    at: data.placedAt,
    ...by,
    said: [
      { what: 'ordered' },
      { what: 'sale', currency, amounts: { units, gross, discount, net: gross - discount } },
      { what: 'order placed', currency, amounts: { units, total } },
      ...lines.map(({ productId }) => ({ what: 'ordered product' as const, of: productId })),
      ...lines.flatMap((line) => {
        const sold = { currency, amounts: { units: line.quantity, revenue: line.quantity * line.unitPrice.amount } };
        return [
          { what: 'sold' as const, of: line.productId, ...sold },
          { what: 'variant sold' as const, of: variantOf(line), ...sold },
        ];
      }),
    ],
  };
}

function readCancellation({ segment, currency, sold }: ordersEvents.OrderCancelled): Saying {
  if (sold === null) return { segment, said: [{ what: 'order given up', currency }] };
  const { subtotal: gross, discount, total, lines } = sold;
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    segment,
    said: [
      { what: 'sale cancelled', currency, amounts: { units, gross, discount, net: gross - discount, total } },
      ...lines.flatMap((line) => {
        const back = { currency, amounts: { units: line.quantity, revenue: line.quantity * line.unitPrice } };
        return [
          { what: 'taken back' as const, of: line.productId, ...back },
          { what: 'variant taken back' as const, of: variantOf(line), ...back },
        ];
      }),
    ],
  };
}

function variantOf({ productId, variantId }: { productId: string; variantId?: string | undefined }): string {
  return variantId === undefined ? productId : `${productId} ${variantId}`;
}

/** The time between, in that unit, of which two digits are kept; 0 where clocks differed. */
function twoDigits(from: string, to: string, unitMs: number): number {
  return Number((Math.max(Date.parse(to) - Date.parse(from), 0) / unitMs).toPrecision(2));
}
