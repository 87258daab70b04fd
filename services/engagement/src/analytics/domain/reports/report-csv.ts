import { engagementHttp } from '@storefront/contracts';
import { stringify } from 'csv-stringify/sync';
import type { AnyReport, ThingFields } from './report.ts';

/**
 * The rows as CSV (RFC 4180, UTF-8) with a row of names. Amounts are in minor units; what is null is empty. A text that a spreadsheet
 * would take for a formula begins with an apostrophe.
 */
export function reportCsv(report: AnyReport, rows: readonly engagementHttp.ReportRow[]): string {
  const columns: (keyof engagementHttp.ReportRow)[] = [
    'start',
    'segment',
    ...fieldsOf(report),
    ...engagementHttp.reportMeasures[report.name],
  ];
  return stringify([...rows], { header: true, columns, record_delimiter: '\r\n', escape_formulas: true });
}

function fieldsOf({ things }: AnyReport): (keyof ThingFields | 'name')[] {
  if (!things) return [];
  // The names of the fields are the same for every thing.
  const fields = Object.keys(things.fields('')) as (keyof ThingFields)[];
  return things.namedBy ? [...fields, 'name'] : fields;
}
