import { engagementHttp } from '@storefront/contracts';
import { toDecimal, type Money } from '@storefront/money';
import { stringify } from 'csv-stringify/sync';

type Row = engagementHttp.ReportRow;

/**
 * The rows as CSV (RFC 4180, UTF-8), with the names of the columns in the first row. Amounts are in major units of the
 * column `currency`; null becomes an empty field. A text that a spreadsheet would take for a formula gets an apostrophe
 * in front.
 */
export function reportCsv(
  name: engagementHttp.ReportName,
  { rows, currency }: Pick<engagementHttp.ReportBody, 'rows' | 'currency'>,
): string {
  const { things } = engagementHttp.reports[name];
  const measures = Object.keys(engagementHttp.reports[name].measures) as (keyof Row)[];
  const columns = ['start', 'segment', ...things, ...(currency === null ? [] : ['currency']), ...measures];
  const amounts = new Set<string>(measures.filter((measure) => rows.some((row) => isMoney(row[measure]))));
  return stringify(
    rows.map((row) => ({
      ...row,
      currency,
      ...Object.fromEntries(measures.map((measure) => [measure, plain(row[measure])])),
    })),
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
