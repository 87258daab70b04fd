import { stringify } from 'csv-stringify/sync';
import { toDecimal } from '@storefront/money';
import type { StatementDocument } from './statement.ts';

const columns = ['date', 'kind', 'number', 'id', 'amount', 'balance', 'currency'];

/**
 * The statement as CSV (RFC 4180, UTF-8): a line for the opening balance, one for each entry, one for the closing
 * balance, and one for each row of the ageing, with its amount in the column `balance`. The column `amount` adds up to
 * the closing balance less the opening balance. Amounts are in major units. A text that a spreadsheet would read as a
 * formula gets an apostrophe before it.
 */
export function statementCsv(statement: StatementDocument): string {
  const { currency, ageing } = statement;
  const balance = (date: string, kind: string, amount: number) => [date, kind, null, null, null, amount, currency];
  const lines = [
    balance(statement.from, 'opening', statement.opening),
    ...statement.entries.map(({ on, kind, number, id, amount, balance }) => [
      on,
      kind,
      number,
      id,
      amount,
      balance,
      currency,
    ]),
    balance(statement.to, 'closing', statement.closing),
    balance(statement.madeOn, 'not-due', ageing.notDue),
    balance(statement.madeOn, 'overdue-1-30', ageing.days1To30),
    balance(statement.madeOn, 'overdue-31-60', ageing.days31To60),
    balance(statement.madeOn, 'overdue-61-90', ageing.days61To90),
    balance(statement.madeOn, 'overdue-over-90', ageing.over90),
    balance(statement.madeOn, 'credit', ageing.credit),
  ];
  return stringify(lines, {
    header: true,
    columns,
    record_delimiter: '\r\n',
    escape_formulas: true,
    // All numbers in the lines are amounts in minor units.
    cast: { number: (amount) => toDecimal({ amount, currency }) },
  });
}
