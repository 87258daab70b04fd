import { createCsv, type CsvCell, type CsvDialect } from '@storefront/csv';
import type { StatementDocument } from './statement.ts';

const columns = ['date', 'kind', 'number', 'id', 'amount', 'balance', 'currency'];

/**
 * The statement as CSV for spreadsheets: a line for the opening balance, one for each entry, one for the closing
 * balance, and one for each row of the ageing, with its amount in the column `balance`. The column `amount` adds up to
 * the closing balance less the opening balance.
 */
export function statementCsv(statement: StatementDocument, dialect: CsvDialect = 'standard'): string {
  const { currency, ageing } = statement;
  const { head, lines } = createCsv(columns, dialect);
  const money = (amount: number) => ({ amount, currency });
  const balance = (date: string, kind: string, amount: number): CsvCell[] => [
    date,
    kind,
    null,
    null,
    null,
    money(amount),
    currency,
  ];
  const rows = [
    balance(statement.from, 'opening', statement.opening),
    ...statement.entries.map(({ on, kind, number, id, amount, balance }): CsvCell[] => [
      on,
      kind,
      number,
      id,
      money(amount),
      money(balance),
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
  return head + lines(rows);
}
