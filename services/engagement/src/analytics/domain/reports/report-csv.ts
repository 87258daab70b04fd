import { engagementHttp } from '@storefront/contracts';
import { createCsv, type CsvDialect } from '@storefront/csv';

type Row = engagementHttp.ReportRow;

/**
 * The rows as CSV for spreadsheets, with the names of the columns in the first row. Amounts are in major units of the
 * column `currency`; null becomes an empty cell.
 */
export function reportCsv(
  name: engagementHttp.ReportName,
  { rows, currency }: Pick<engagementHttp.ReportBody, 'rows' | 'currency'>,
  dialect: CsvDialect = 'standard',
): string {
  const { things } = engagementHttp.reports[name];
  const measures = Object.keys(engagementHttp.reports[name].measures) as (keyof Row)[];
  const columns = ['start', 'segment', ...things, ...(currency === null ? [] : ['currency']), ...measures];
  const { head, lines } = createCsv(columns, dialect);
  const cells = rows.map((row) =>
    columns.map((column) => (column === 'currency' ? currency : (row[column as keyof Row] ?? null))),
  );
  return head + lines(cells);
}
