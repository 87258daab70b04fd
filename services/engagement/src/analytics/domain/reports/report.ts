import type { engagementHttp } from '@storefront/contracts';
import type { Family, FunnelWindow, PeopleFamily } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import type { Figures } from './figures.ts';

type ReportName = engagementHttp.ReportName;
export type Order = NonNullable<engagementHttp.ReportQuery['by']>;

/** Parameters that only some reports take. */
export type OwnParameter = 'currency' | 'by' | 'limit' | 'window';

/** What a report says: which sums and sets it reads, and what it makes of them. Each is one file. */
export interface Report<Name extends ReportName> {
  readonly name: Name;
  readonly takes: readonly OwnParameter[];
  /** Whose rows it has. */
  readonly segments: readonly Segment[];
  /** The sums of each of its intervals. */
  readonly families: readonly Family[];
  /** Of a family only these sums, where the report shows few of those it has. */
  readonly only?: Readonly<Partial<Record<Family, readonly string[]>>>;
  /** The people of each of its intervals. */
  readonly sets?: (window: FunnelWindow) => readonly PeopleFamily[];
  /** The family whose values it has the medians of. */
  readonly mediansOf?: Family;
  /** It reads what is open of invoices at the end of each interval. */
  readonly readsOpen?: true;
  /** Of a report about things, such as products; a report without it is about everything. */
  readonly things?: Things;
  /** The measures of one row, or of the totals. */
  readonly measures: (figures: Figures, window: FunnelWindow) => engagementHttp.MeasuresOf<Name>;
}

/** A report of any name. */
export type AnyReport = { readonly [Name in ReportName]: Report<Name> }[ReportName];

/** The things that a report is about. */
export interface Things {
  /** What identifies a thing in its row. */
  readonly fields: (thing: string) => ThingFields;
  /** Those with most of it come first. */
  readonly rank: (figures: Figures, by: Order) => number;
  /**
   * Of things of which there may be thousands, of one family that has the sums of everything, too: the database ranks them by this
   * measure, and `rest` is a thing that is none of them and comes last.
   */
  readonly ranked?: { readonly family: Family; readonly by: string; readonly rest: string };
  /** What names them, where they have a name. */
  readonly namedBy?: 'products' | 'campaigns';
}

export type ThingFields = Pick<engagementHttp.ReportRow, 'productId' | 'campaignId' | 'channel' | 'type' | 'words'>;

/** What sums of everything are kept under; those in a currency are kept under it. */
export const everything = '';

/** Families whose sums are of one currency. */
const inCurrency: ReadonlySet<Family> = new Set(['sales', 'productSales', 'campaigns', 'receivables']);

/** Where the sums of a thing, or of everything, are kept: `prod_… EUR`, `prod_…`, `EUR` or ``. */
export function keyOf(family: Family, thing: string, currency: string): string {
  return inCurrency.has(family) ? `${thing} ${currency}`.trimStart() : thing;
}

/** The thing whose sums are kept there; null where they are of another currency. */
export function thingOf(family: Family, key: string, currency: string): string | null {
  if (!inCurrency.has(family)) return key;
  if (key === currency) return everything;
  return key.endsWith(` ${currency}`) ? key.slice(0, -currency.length - 1) : null;
}
