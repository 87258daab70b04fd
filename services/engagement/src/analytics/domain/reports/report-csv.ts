import { engagementHttp } from '@storefront/contracts';
import { toDecimal, type Money } from '@storefront/money';
import { stringify } from 'csv-stringify/sync';
import type { AnyReport, ThingFields } from './report.ts';

type Row = engagementHttp.ReportRow;

/**
 * The rows as CSV (RFC 4180, UTF-8), with the names of the columns in the first row. Amounts are in major units of the
 * column `currency`; null becomes an empty field. A text that a spreadsheet would take for a formula gets an apostrophe
 * in front.
 */
export function reportCsv(
  report: AnyReport,
  { rows, currency }: Pick<engagementHttp.ReportBody, 'rows' | 'currency'>,
): string {
  const measures = engagementHttp.reportMeasures[report.name];
  const columns = ['start', 'segment', ...fieldsOf(report), ...(currency === null ? [] : ['currency']), ...measures];
  const amounts = new Set<string>(measures.filter((name) => rows.some((row) => isMoney(row[name]))));
  return stringify(
    rows.map((row) => ({ ...row, currency, ...Object.fromEntries(measures.map((name) => [name, plain(row[name])])) })),
    {
      header: true,
      columns,
      record_delimiter: '\r\n',
      escape_formulas: true,
      cast: {
        number: (value, { column }) =>
          currency !== null && amounts.has(String(column)) ? toDecimal({ amount: value, currency }) : String(value),
      },
    },
  );
}

function isMoney(value: Row[keyof Row]): value is Money {
  return typeof value === 'object' && value !== null;
}

/**
 * Returns the amount as a number. As text, a negative amount would be taken for a formula because of its minus sign.
 */
function plain(value: Row[keyof Row]): unknown {
  return isMoney(value) ? value.amount : value;
}

function fieldsOf({ things }: AnyReport): (keyof ThingFields | 'name')[] {
  if (!things) return [];
  // Every thing of a report has the same field names, so the name of the thing does not matter here.
  const fields = Object.keys(things.fields('')) as (keyof ThingFields)[];
  return things.namedBy ? [...fields, 'name'] : fields;
}
