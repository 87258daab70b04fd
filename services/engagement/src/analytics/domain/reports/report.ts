import type { engagementHttp } from '@storefront/contracts';
import { families, type Family, type FunnelWindow, type PeopleFamily } from '../facts/count.ts';
import type { Figures } from './figures.ts';

type ReportName = engagementHttp.ReportName;
export type Order = NonNullable<engagementHttp.ReportQuery['by']>;

/**
 * Describes a report: which sums and sets of people the report reads, and how the measures are computed from them. The
 * contract has what clients see of the report.
 */
export interface Report<Name extends ReportName = ReportName> {
  /** The families whose sums the report reads. */
  readonly families: readonly Family[];
  /** The measures that the report reads of a family, where the report does not need all of them. */
  readonly only?: Readonly<Partial<Record<Family, readonly string[]>>>;
  /** The sets of people that the report counts. */
  readonly sets?: (window: FunnelWindow) => readonly PeopleFamily[];
  /** The report has the medians of this family's values. */
  readonly mediansOf?: Family;
  /** The report shows the open amounts of invoices at the end of each interval. */
  readonly readsOpen?: true;
  /** Set for a report about things, such as products. A report without `things` is about the whole shop. */
  readonly things?: Things;
  /** Computes the measures of one row, or of the totals. */
  readonly measures: (figures: Figures, window: FunnelWindow) => engagementHttp.MeasuresOf<Name>;
}

/** The things that a report is about. */
export interface Things {
  /** The fields that identify a thing in its row. */
  readonly fields: (thing: string) => Pick<engagementHttp.ReportRow, keyof typeof engagementHttp.thingFields>;
  /** Returns the number by which things are sorted. The thing with the greatest number comes first. */
  readonly rank: (figures: Figures, by: Order) => number;
  /**
   * For reports with thousands of things, of one family that also keeps a sum of everything. The database ranks the
   * things by the measure `by`. `rest` is the name of the sum of all things that are not shown; its rows come last.
   */
  readonly ranked?: { readonly family: Family; readonly by: string; readonly rest: string };
  /** Where the names of the things are looked up. Left out where the things have no names. */
  readonly namedBy?: 'products' | 'variants' | 'campaigns';
}

/** The thing under which the sums of the whole shop are kept. Sums in a currency are kept under the currency. */
export const everything = '';

/**
 * The key under which the sums of a thing, or of the whole shop, are kept. Examples: `prod_… EUR`, `prod_…`, `EUR` or
 * ``.
 */
export function keyOf(family: Family, thing: string, currency: string): string {
  return families[family].byCurrency ? `${thing} ${currency}`.trimStart() : thing;
}

/** The thing whose sums are kept under the key. null where the sums are in another currency. */
export function thingOf(family: Family, key: string, currency: string): string | null {
  if (!families[family].byCurrency) return key;
  if (key === currency) return everything;
  return key.endsWith(` ${currency}`) ? key.slice(0, -currency.length - 1) : null;
}
