import { z } from 'zod';
import { money, type Money } from '../common.ts';

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

/** All measures that a row or the totals of a report can have, by name. A measure means the same in every report. */
export const measureSchemas = {
  registrations: count('Registrations that were begun.'),
  begun: count('Registrations that were begun.'),
  verified: count('Registrations whose code was entered.'),
  shareVerified: share('`verified` for each one begun in the same time.'),
  tradeApplications: count('Applications for trade accounts that were submitted.'),
  applied: count('Applications for trade accounts that were submitted.'),
  approved: count('Trade accounts that were approved.'),
  rejected: count('Trade accounts that were rejected.'),
  medianHours: middle('Hours from the application to the verdict, of the verdicts of this time.'),
  activeUsers: count('Different users who did anything; visitors who are not logged in are none.'),
  orders: count('Orders, and invoices that belong to none.'),
  units: z.number().meta({ description: 'Units of products in orders; of invoices parts of a unit too.' }),
  revenue: amount('What these units were sold for.'),
  gross: amount('What the orders would cost without discounts.'),
  discount: amount('What was taken off.'),
  net: amount('What the orders cost: `gross` less `discount`.'),
  averageOrder: money.nullable().meta({ description: '`net` for each order; null where there is no order.' }),
  returningShare: share('Of the orders of known buyers: those whose buyer had ordered before.'),
  redemptions: count('Redemptions of discounts, less those given back in this time.'),
  customers: count('Different users who redeemed, each once.'),
  orderValue: amount('What the orders of these redemptions cost after all discounts.'),
  valuePerDiscount: z
    .number()
    .nullable()
    .meta({
      description: '`orderValue` for each unit of `discount`; null where nothing was taken off.',
      examples: [9.4],
    }),
  notificationsDelivered: count('Messages that were delivered, on every channel.'),
  requested: count('Messages that were to be sent.'),
  delivered: count('Messages that the channel has taken, or that are in the list in the app.'),
  failed: count('Messages that will not be sent, but for the suppressed ones.'),
  suppressed: count('Messages that the recipient does not want, or that would not reach them.'),
  read: count('Messages that were read for the first time.'),
  readShare: share('`read` for each one delivered in the same time.'),
  medianMinutesToRead: middle('Minutes from the request to the first reading.'),
  views: count('Views of the product.'),
  wishlists: count('Times that the product was put on a wishlist.'),
  viewsOrderedShare: share('Of the views: those whose viewer ordered the product within 30 days.'),
  wishlistAdditions: count('Items that were put on wishlists.'),
  additions: count('Items that were put on wishlists.'),
  removals: count('Items that were taken off wishlists.'),
  wishedAndOrdered: count('Of the additions: those whose product the same user ordered later.'),
  alertsRaised: count('Alerts about a price or about stock.'),
  alertsOrdered: count('Of the alerts: those whose product the same user ordered within 7 days.'),
  viewed: count('Different people who viewed a product.'),
  wishlisted: count('Of them: those who then put something on a wishlist.'),
  checkout: count('Of them: those who then began to check out.'),
  ordered: count('Of them: those who then ordered.'),
  wishlistedShare: share('`wishlisted` of `viewed`.'),
  checkoutShare: share('`checkout` of `wishlisted`.'),
  orderedShare: share('`ordered` of `checkout`.'),
  times: count('How often it was searched for.'),
  withoutResultShare: share('Of the searches: those that found nothing.'),
  events: count('Events of clients whose `User-Agent` is that of a robot. They are in no other report.'),
  invoiced: amount('Invoices that were issued.'),
  paid: amount('Invoices that were paid in full.'),
  overdue: amount('What was owed of invoices when they became overdue.'),
  openCurrent: amount('Owed at the end of this time and not overdue.'),
  open1To30: amount('Owed at the end of this time, 1 to 30 days overdue.'),
  open31To60: amount('Owed at the end of this time, 31 to 60 days overdue.'),
  open61To90: amount('Owed at the end of this time, 61 to 90 days overdue.'),
  openOver90: amount('Owed at the end of this time, more than 90 days overdue.'),
  medianDaysToPay: middle('Days from the issue of an invoice until it was paid, of those paid in this time.'),
} as const satisfies Record<string, z.ZodType<number | Money | null>>;
type Measure = keyof typeof measureSchemas;

const measuresOf = <const Names extends readonly Measure[]>(...names: Names): Names => names;

/** All reports, each with its measures in the order of the columns. */
export const reportMeasures = {
  summary: measuresOf(
    'registrations',
    'verified',
    'tradeApplications',
    'approved',
    'activeUsers',
    'orders',
    'gross',
    'discount',
    'net',
    'averageOrder',
    'redemptions',
    'notificationsDelivered',
    'wishlistAdditions',
    'invoiced',
    'paid',
    'overdue',
  ),
  registrations: measuresOf('begun', 'verified', 'shareVerified', 'applied', 'approved', 'rejected', 'medianHours'),
  sales: measuresOf('orders', 'units', 'gross', 'discount', 'net', 'averageOrder', 'returningShare'),
  products: measuresOf('views', 'wishlists', 'units', 'revenue', 'viewsOrderedShare'),
  campaigns: measuresOf('redemptions', 'customers', 'discount', 'orderValue', 'valuePerDiscount'),
  notifications: measuresOf(
    'requested',
    'delivered',
    'failed',
    'suppressed',
    'read',
    'readShare',
    'medianMinutesToRead',
  ),
  wishlists: measuresOf('additions', 'removals', 'wishedAndOrdered', 'alertsRaised', 'alertsOrdered'),
  funnel: measuresOf('viewed', 'wishlisted', 'checkout', 'ordered', 'wishlistedShare', 'checkoutShare', 'orderedShare'),
  searches: measuresOf('times', 'withoutResultShare'),
  receivables: measuresOf(
    'invoiced',
    'paid',
    'openCurrent',
    'open1To30',
    'open31To60',
    'open61To90',
    'openOver90',
    'medianDaysToPay',
  ),
  robots: measuresOf('events'),
} as const;
export type ReportName = keyof typeof reportMeasures;
/** The values of a report's measures, by name. */
export type MeasuresOf<Report extends ReportName> = {
  readonly [Name in (typeof reportMeasures)[Report][number]]: z.infer<(typeof measureSchemas)[Name]>;
};
