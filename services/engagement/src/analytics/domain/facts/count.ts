import type { Day } from '@storefront/calendar';

/**
 * What a fact adds to the sums of a moment and its segment. All of it is added: in any order the result is the same. No name of a
 * measure may contain `.` or `$`.
 */
export interface Count {
  readonly family: Family;
  /** Of what thing: a product, a campaign, words, a currency; `` where the family has no things. At most 200 characters. */
  readonly of: string;
  readonly measures: Readonly<Record<string, number>>;
  /** A value that matters by itself: the family and thing have the median of all of them. Two significant digits of it are kept. */
  readonly value?: number;
}

/** What a fact counts for from a later day on. */
export interface LaterCounts {
  /** From the first moment of this day of the shop on, or from that of the fact where that is later. */
  readonly from: Day;
  readonly counts: readonly Count[];
}

/** A set of people: which ones did something in an interval, each once. */
export interface PeopleSet {
  readonly set: PeopleFamily;
  /** As in `Count`. */
  readonly of: string;
}

/**
 * The sums of one subject. `hasThings`: one sum for each thing, by which reports list them. `hasFractions`: some of its measures have
 * decimals, as quantities may; those of others are whole numbers.
 */
export const families = {
  /** begun, verified, applied, approved, rejected. Values: the hours from an application to its verdict. */
  registrations: { hasThings: false, hasFractions: false },
  /** Of a currency: orders, units, gross, discount, net, known (orders of a known buyer), returning (of a buyer who had ordered before). */
  sales: { hasThings: false, hasFractions: true },
  /** Of a product and its currency, `prod_… EUR`: units, revenue. */
  productSales: { hasThings: true, hasFractions: true },
  /** Of a product: views, viewsOrdered, wishlists. */
  productInterest: { hasThings: true, hasFractions: false },
  /** Of a campaign and its currency, `camp_… EUR`: redemptions, discount, orderValue. */
  campaigns: { hasThings: true, hasFractions: false },
  /** Of a channel and a type, `EMAIL security`: requested, delivered, failed, suppressed, read. Values: the minutes until it was read. */
  notifications: { hasThings: true, hasFractions: false },
  /** additions, removals, ordered, alerts, alertsOrdered. */
  wishlists: { hasThings: false, hasFractions: false },
  /** events. */
  robots: { hasThings: false, hasFractions: false },
  /** Of a text that reports show, of all others together (`other`), and of all searches: times, withoutResult. */
  searches: { hasThings: true, hasFractions: false },
  /**
   * Of a currency: invoiced, paid, overdue, open (the change of what is open), and the changes of what is overdue for so many days at
   * least: open1, open31, open61, open91. Values: the days until an invoice was paid.
   */
  receivables: { hasThings: false, hasFractions: false },
} as const satisfies Record<string, { readonly hasThings: boolean; readonly hasFractions: boolean }>;
export type Family = keyof typeof families;

/** Windows of the funnel, in days. */
export const funnelWindows = [1, 7, 30] as const;
export type FunnelWindow = (typeof funnelWindows)[number];

/** The steps of the funnel after its first one. */
export const laterSteps = ['wishlisted', 'checkout', 'ordered'] as const;
export type LaterStep = (typeof laterSteps)[number];

/**
 * `active`: users (not anonymous visitors) who did anything. `campaignCustomers`: of a campaign. `viewers`: who viewed a product.
 * `reached:<step>:<window>`: viewers who came from that view to the step, all steps before it in order, within the window.
 */
export type PeopleFamily = 'active' | 'campaignCustomers' | 'viewers' | `reached:${LaterStep}:${FunnelWindow}`;
