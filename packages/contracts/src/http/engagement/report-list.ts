import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { money, type Money } from '../common.ts';

export const reportSegment = z.enum(['trade', 'retail', 'guest']);

/** The fields by which a row says which thing it is about, such as a product. */
export const thingFields = {
  productId: idSchema('prod'),
  variantId: z
    .string()
    .nullable()
    .meta({
      description: 'Of the variant; null for what names none, such as a wish for the product.',
      examples: ['var_01h455vb4pex5vsknk084sn02q'],
    }),
  campaignId: idSchema('camp'),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Of the product, variant or campaign; null where it is not known any more.' }),
  channel: z.string().meta({ examples: ['EMAIL'] }),
  type: z.string().meta({ description: 'Of the notifications.', examples: ['security'] }),
  words: z.string().meta({ description: 'What was searched for.', examples: ['green tea'] }),
};

type Measure = z.ZodType<number | Money | null>;

/** What clients send and get of a report, apart from its measures. */
interface Report {
  /** The parameters that the report takes of those that only some reports take. */
  readonly takes: readonly ('currency' | 'by' | 'limit' | 'window' | 'productId')[];
  /** The segments that the report has rows for. */
  readonly segments: readonly z.infer<typeof reportSegment>[];
  /** What a row says about its thing. Empty for a report about the whole shop. */
  readonly things: readonly (keyof typeof thingFields)[];
}

/**
 * Defines a report. Its measures are in the order of the columns, and a measure means the same in every report. By
 * default a report takes no parameter of its own, has rows for all segments, and is about the whole shop.
 */
function define<Measures extends Readonly<Record<string, Measure>>>(
  report: Partial<Report> & { readonly measures: Measures },
): Report & { readonly measures: Measures } {
  return { takes: [], segments: reportSegment.options, things: [], ...report };
}

const count = (description: string) => z.int().meta({ description });
const amount = (description: string) => money.meta({ description });
const share = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} From 0 to 1; null where there is nothing to divide by.` });
const middle = (description: string) =>
  z
    .number()
    .nullable()
    .meta({
      description: `${description} The median, of values kept to two significant digits; null where there is none.`,
    });

const registrations = define({
  segments: ['trade', 'retail'],
  measures: {
    begun: count('Registrations that were begun.'),
    verified: count('Registrations whose code was entered.'),
    shareVerified: share('`verified` for each one begun in the same time.'),
    applied: count('Applications for trade accounts that were submitted.'),
    approved: count('Trade accounts that were approved.'),
    rejected: count('Trade accounts that were rejected.'),
    medianHours: middle('Hours from the application to the verdict, of the verdicts of this time.'),
  },
});

const sales = define({
  takes: ['currency'],
  measures: {
    orders: count('Orders, and invoices that belong to none, less the orders that were cancelled in this time.'),
    units: z.number().meta({ description: 'Units of products in orders; of invoices parts of a unit too.' }),
    gross: amount('What the orders would cost without discounts.'),
    discount: amount('What was taken off.'),
    net: amount('What the orders cost: `gross` less `discount`.'),
    averageOrder: money.nullable().meta({ description: '`net` for each order; null where there is no order.' }),
    returningShare: share('Of the orders of known buyers: those whose buyer had ordered before.'),
  },
});

const orders = define({
  takes: ['currency'],
  measures: {
    placed: count('Orders that were placed.'),
    unitsPlaced: count('Units of products in them.'),
    placedValue: amount('What they cost in all, with shipping and tax.'),
    averageValue: money.nullable().meta({ description: '`placedValue` for each order; null where there is none.' }),
    cancelled: count('Placed orders that were cancelled in this time, whenever they were placed.'),
    cancelledValue: amount('What the cancelled ones cost in all.'),
    refunded: amount('Money of orders that went back.'),
    unitsReturned: count('Units of products that have come back, whenever they were ordered.'),
    givenUp: count('Orders that were sent and ended without being placed: refused, not paid or cancelled.'),
  },
});

const products = define({
  takes: ['currency', 'by', 'limit'],
  things: ['productId', 'name'],
  measures: {
    views: count('Views of the product.'),
    wishlists: count('Times that the product or variant was put on a wishlist.'),
    units: sales.measures.units,
    revenue: amount('What these units were sold for.'),
    viewsOrderedShare: share('Of the views: those whose viewer ordered the product within 30 days.'),
  },
});

const variants = define({
  takes: ['currency', 'productId'],
  things: ['productId', 'variantId', 'name'],
  measures: {
    wishlists: products.measures.wishlists,
    units: products.measures.units,
    revenue: products.measures.revenue,
  },
});

const campaigns = define({
  takes: ['currency', 'limit'],
  things: ['campaignId', 'name'],
  measures: {
    redemptions: count('Redemptions of discounts, less those given back in this time.'),
    customers: count('Different users who redeemed, each once.'),
    discount: sales.measures.discount,
    orderValue: amount('What the orders of these redemptions cost after all discounts.'),
    valuePerDiscount: z
      .number()
      .nullable()
      .meta({
        description: '`orderValue` for each unit of `discount`; null where nothing was taken off.',
        examples: [9.4],
      }),
  },
});

const notifications = define({
  things: ['channel', 'type'],
  measures: {
    requested: count('Messages that were to be sent.'),
    delivered: count('Messages that the channel has taken, or that are in the list in the app.'),
    failed: count('Messages that will not be sent, but for the suppressed ones.'),
    suppressed: count('Messages that the recipient does not want, or that would not reach them.'),
    read: count('Messages that were read for the first time.'),
    readShare: share('`read` for each one delivered in the same time.'),
    medianMinutesToRead: middle('Minutes from the request to the first reading.'),
  },
});

const wishlists = define({
  measures: {
    additions: count('Items that were put on wishlists.'),
    removals: count('Items that were taken off wishlists.'),
    wishedAndOrdered: count('Of the additions: those whose product the same user ordered later.'),
    alertsRaised: count('Alerts about a price or about stock.'),
    alertsOrdered: count('Of the alerts: those whose product the same user ordered within 7 days.'),
  },
});

const funnel = define({
  takes: ['window'],
  measures: {
    viewed: count('Different people who viewed a product.'),
    wishlisted: count('Of them: those who then put something on a wishlist.'),
    checkout: count('Of them: those who then began to check out.'),
    ordered: count('Of them: those who then ordered.'),
    wishlistedShare: share('`wishlisted` of `viewed`.'),
    checkoutShare: share('`checkout` of `wishlisted`.'),
    orderedShare: share('`ordered` of `checkout`.'),
    carted: count('Different people who changed a cart.'),
    checkedOut: count('Of them: those who then began to check out.'),
    bought: count('Of them: those who then placed an order.'),
    shipped: count('Of them: those to whom something was then shipped.'),
    arrived: count('Of them: those with whom an order then arrived.'),
    checkedOutShare: share('`checkedOut` of `carted`.'),
    boughtShare: share('`bought` of `checkedOut`.'),
    shippedShare: share('`shipped` of `bought`.'),
    arrivedShare: share('`arrived` of `shipped`.'),
  },
});

const searches = define({
  takes: ['limit'],
  things: ['words'],
  measures: {
    times: count('How often it was searched for.'),
    withoutResultShare: share('Of the searches: those that found nothing.'),
  },
});

const receivables = define({
  takes: ['currency'],
  segments: ['trade'],
  measures: {
    invoiced: amount('Invoices that were issued.'),
    paid: amount('Invoices that were paid in full.'),
    openCurrent: amount('Owed at the end of this time and not overdue.'),
    open1To30: amount('Owed at the end of this time, 1 to 30 days overdue.'),
    open31To60: amount('Owed at the end of this time, 31 to 60 days overdue.'),
    open61To90: amount('Owed at the end of this time, 61 to 90 days overdue.'),
    openOver90: amount('Owed at the end of this time, more than 90 days overdue.'),
    medianDaysToPay: middle('Days from the issue of an invoice until it was paid, of those paid in this time.'),
  },
});

const robots = define({
  measures: {
    events: count('Events of clients whose `User-Agent` is that of a robot. They are in no other report.'),
  },
});

const summary = define({
  takes: ['currency'],
  measures: {
    registrations: registrations.measures.begun,
    verified: registrations.measures.verified,
    tradeApplications: registrations.measures.applied,
    approved: registrations.measures.approved,
    activeUsers: count('Different users who did anything; visitors who are not logged in are none.'),
    orders: sales.measures.orders,
    gross: sales.measures.gross,
    discount: sales.measures.discount,
    net: sales.measures.net,
    averageOrder: sales.measures.averageOrder,
    redemptions: campaigns.measures.redemptions,
    notificationsDelivered: count('Messages that were delivered, on every channel.'),
    wishlistAdditions: wishlists.measures.additions,
    invoiced: receivables.measures.invoiced,
    paid: receivables.measures.paid,
    overdue: amount('What was owed of invoices when they became overdue.'),
  },
});

/** All reports. */
export const reports = {
  summary,
  registrations,
  sales,
  orders,
  products,
  variants,
  campaigns,
  notifications,
  wishlists,
  funnel,
  searches,
  receivables,
  robots,
};
export type ReportName = keyof typeof reports;
type Measures<Name extends ReportName> = (typeof reports)[Name]['measures'];
/** The values of a report's measures, by name. */
export type MeasuresOf<Name extends ReportName> = { readonly [M in keyof Measures<Name>]: z.infer<Measures<Name>[M]> };

type MeasureName = { readonly [Name in ReportName]: keyof Measures<Name> }[ReportName];
/** The measures of all reports, by name. */
export const measureSchemas = Object.assign({}, ...Object.values(reports).map(({ measures }) => measures)) as Readonly<
  Record<MeasureName, Measure>
>;
