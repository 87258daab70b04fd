import { engagementHttp } from '@storefront/contracts';
import { toDecimal, type Money } from '@storefront/money';
import { stringify } from 'csv-stringify/sync';
import type { AnyReport, ThingFields } from './report.ts';

type Row = engagementHttp.ReportRow;

/**
 * The rows as CSV (RFC 4180, UTF-8) with a row of names. Amounts are in major units of the column `currency`; what is null is empty. A
 * text that a spreadsheet would take for a formula begins with an apostrophe.
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

/** The number alone: text that begins with a minus would be taken for a formula. */
function plain(value: Row[keyof Row]): unknown {
  return isMoney(value) ? value.amount : value;
}

function fieldsOf({ things }: AnyReport): (keyof ThingFields | 'name')[] {
  if (!things) return [];
  // The names of the fields are the same for every thing.
  const fields = Object.keys(things.fields('')) as (keyof ThingFields)[];
  return things.namedBy ? [...fields, 'name'] : fields;
}
