import type { Day } from '@storefront/calendar';

/**
 * What a fact adds to the sums of one moment and segment. Counts are only ever added, so their order makes no
 * difference. The name of a measure must not contain `.` or `$`.
 */
export interface Count {
  readonly family: Family;
  /**
   * The thing that is counted: a product, a campaign, a searched text or a currency. Empty where the family has no
   * things. At most 200 characters.
   */
  readonly of: string;
  readonly measures: Readonly<Record<string, number>>;
  /**
   * A single value, such as a number of days. Reports show the median of all values of the family and thing. Two
   * significant digits are kept.
   */
  readonly value?: number;
}

/** What a fact adds to the sums of a later day. */
export interface LaterCounts {
  /**
   * The counts are added at the first moment of this day in the shop's time zone, or at the moment of the fact where
   * the fact is later.
   */
  readonly from: Day;
  readonly counts: readonly Count[];
}

/** A set of people who did something in an interval. Each person is in the set once. */
export interface PeopleSet {
  readonly set: PeopleFamily;
  /** The thing that the set is about, as in `Count`. */
  readonly of: string;
}

/**
 * The families of sums; each is about one subject. `hasFractions`: some measures have decimals, as quantities may. The
 * measures of all other families are whole numbers. `byCurrency`: there is a separate sum for each currency, and the
 * name of the thing ends with the currency.
 */
export const families = {
  /** Measures: begun, verified, applied, approved, rejected. Values: the hours from an application to its verdict. */
  registrations: { byCurrency: false, hasFractions: false },
  /**
   * Measures: orders, units, gross, discount, net, all less cancelled orders; known (orders of a known buyer), returning
   * (orders of a buyer who had ordered before), of all that were placed.
   */
  sales: { byCurrency: true, hasFractions: true },
  /**
   * Orders alone, without invoices. Measures: placed, unitsPlaced, placedValue, cancelled, cancelledValue, givenUp
   * (orders that were sent and never placed), refunded, unitsReturned.
   */
  orders: { byCurrency: true, hasFractions: false },
  /** For each product, such as `prod_… EUR`. Measures: units, revenue. */
  productSales: { byCurrency: true, hasFractions: true },
  /** For each product. Measures: views, viewsOrdered, wishlists. */
  productInterest: { byCurrency: false, hasFractions: false },
  /** For each variant, such as `prod_… var_… EUR` (`variantKey`). Measures: units, revenue. */
  variantSales: { byCurrency: true, hasFractions: false },
  /** For each variant, such as `prod_… var_…`. Measures: wishlists. */
  variantInterest: { byCurrency: false, hasFractions: false },
  /** For each campaign, such as `camp_… EUR`. Measures: redemptions, discount, orderValue. */
  campaigns: { byCurrency: true, hasFractions: false },
  /**
   * For each channel and type, such as `EMAIL security`. Measures: requested, delivered, failed, suppressed, read.
   * Values: the minutes until the message was read.
   */
  notifications: { byCurrency: false, hasFractions: false },
  /** Measures: additions, removals, ordered, alerts, alertsOrdered. */
  wishlists: { byCurrency: false, hasFractions: false },
  /** Measures: events. */
  robots: { byCurrency: false, hasFractions: false },
  /**
   * For each text that reports show, for all other texts together (`other`), and for all searches. Measures: times,
   * withoutResult.
   */
  searches: { byCurrency: false, hasFractions: false },
  /**
   * Measures: invoiced, paid, overdue, open (the change of the open amount), and open1, open31, open61 and open91 (the
   * change of the amount that is overdue for at least that many days). Values: the days until an invoice was paid.
   */
  receivables: { byCurrency: true, hasFractions: false },
} as const satisfies Record<string, { readonly byCurrency: boolean; readonly hasFractions: boolean }>;
export type Family = keyof typeof families;

/** The possible windows of the funnel, in days. */
export const funnelWindows = [1, 7, 30] as const;
export type FunnelWindow = (typeof funnelWindows)[number];

/** The steps of the funnel after viewing a product, and those after changing a cart. */
export const stepsAfterView = ['wishlisted', 'checkout', 'ordered'] as const;
export const stepsAfterCart = ['checkedOut', 'bought', 'shipped', 'arrived'] as const;
export type LaterStep = (typeof stepsAfterView)[number] | (typeof stepsAfterCart)[number];

/**
 * `active`: users who did anything, without anonymous visitors. `campaignCustomers`: people who redeemed a discount of
 * a campaign. `viewers`: people who viewed a product. `carted`: people who changed a cart. `reached:<step>:<window>`:
 * viewers, or people with a cart, who reached the step within the window after a view or a change of a cart, with all
 * earlier steps in order.
 */
export type PeopleFamily =
  | 'active'
  | 'campaignCustomers'
  | 'viewers'
  | 'carted'
  | `reached:${LaterStep}:${FunnelWindow}`;
