import { shown } from '../amounts.ts';
import type { StatementDocument, StatementEntry } from '../statement.ts';
import { draw } from './draw.ts';
import type { Mark } from './pages.ts';
import { amountRow, gap, left, opening, pagesOf, paragraph, totalRow } from './parts.ts';
import { tableOf, type Column, type Entry } from './table.ts';
import { printable, styles } from './text.ts';

const kinds: Readonly<Record<StatementEntry['kind'], string>> = {
  invoice: 'Invoice',
  void: 'Invoice voided',
  'credit-note': 'Credit note',
  payment: 'Payment',
  refund: 'Refund',
};

/** The statement as a PDF/A-2b file, with the same guarantees as `invoicePdf`. */
export async function statementPdf(document: StatementDocument): Promise<Buffer> {
  const title = `Statement of account ${document.from} to ${dayBefore(document.to)}`;
  return draw(await statementPages(document), { title, createdAt: new Date(document.madeAt) });
}

/** What is drawn on each page of a statement. */
export async function statementPages(document: StatementDocument): Promise<Mark[][]> {
  const { seller, buyer, from, currency, madeOn, opening: before, closing, ageing } = document;
  const lastDay = dayBefore(document.to);
  const amount = (value: number) => shown(value, currency);
  const cell = (text: string) => [{ text: printable(text), style: styles.cell }];
  const columns: readonly Column[] = [
    { title: 'Date', fit: 'left' },
    { title: 'Entry', fit: 'left' },
    { title: 'Number', fit: 'rest' },
    { title: `Amount ${currency}`, fit: 'right' },
    { title: `Balance ${currency}`, fit: 'right' },
  ];
  const entries: Entry[] = [
    { cells: [cell(from), cell('Opening balance'), [], [], cell(amount(before))], sum: amount(before) },
    ...document.entries.map(({ on, kind, number, id, amount: added, balance }) => ({
      cells: [cell(on), cell(kinds[kind]), cell(number ?? id), cell(amount(added)), cell(amount(balance))],
      sum: amount(balance),
    })),
  ];
  const table = await tableOf(columns, entries, {
    carry: { carried: 'Balance carried over', forward: 'Balance brought forward' },
    totals: [gap(8), totalRow('Closing balance', amount(closing))],
  });
  const ages: readonly (readonly [label: string, amount: number])[] = [
    ['Not due yet', ageing.notDue],
    ['1 to 30 days overdue', ageing.days1To30],
    ['31 to 60 days overdue', ageing.days31To60],
    ['61 to 90 days overdue', ageing.days61To90],
    ['More than 90 days overdue', ageing.over90],
    ['Credit of the account', ageing.credit],
  ];
  const facts = [
    ['Period', `${from} to ${lastDay}`],
    ['Date', madeOn],
    ['Currency', currency],
  ] as const;
  return pagesOf(
    [
      opening({ title: 'Statement of account', seller, recipients: [{ label: 'To', party: buyer }], facts }),
      table,
      {
        rows: [
          gap(22),
          ...paragraph('A balance above 0 is owed by you; one below 0 is in your favour.', styles.label),
          gap(18),
          ...paragraph(`Owed on ${madeOn}, by age`, styles.name),
          gap(3),
          ...ages.map(([label, value]) => amountRow(label, amount(value), styles.normal, left, left + 268)),
        ],
      },
    ],
    `Statement of account ${from} to ${lastDay}`,
  );
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}
