import type { billingEvents } from '@storefront/contracts';
import { shown, shownQuantity } from '../amounts.ts';
import { taxRowsOf, untaxedOf } from '../taxes.ts';
import type { Group, Row, Table } from './pages.ts';
import { amountRow, gap, paragraph, totalRow } from './parts.ts';
import { tableOf, type Column, type Entry } from './table.ts';
import { printable, styleFor, styles } from './text.ts';

type Document = billingEvents.InvoiceDocument | billingEvents.CreditNoteDocument;

/** The lines of an invoice or a credit note as a table that ends with the totals. */
export function linesOf(document: Document, nameOfTotal: string): Promise<Table> {
  const { currency, lines } = document;
  const untaxed = untaxedOf(document);
  const hasDiscounts = lines.some(({ discount }) => discount !== 0);
  const amount = (value: number) => shown(value, currency);
  const columns: readonly Column[] = [
    { title: 'No.', fit: 'right' },
    { title: 'Description', fit: 'rest' },
    { title: 'Quantity', fit: 'right' },
    { title: 'Unit price', fit: 'right' },
    ...(hasDiscounts ? [{ title: 'Discount', fit: 'right' } as const] : []),
    { title: 'VAT', fit: 'right' },
    { title: `Net ${currency}`, fit: 'right' },
  ];
  const cell = (text: string) => [{ text: printable(text), style: styles.cell }];
  let sum = 0;
  const entries = lines.map((line, index): Entry => {
    sum += line.net;
    const sku = line.sku === null ? [] : [{ text: line.sku, style: styles.small }];
    return {
      cells: [
        cell(String(index + 1)),
        [{ text: line.description, style: styleFor(styles.cell, line.description, document.seller.country) }, ...sku],
        cell(shownQuantity(line.quantity)),
        cell(amount(line.unitPrice)),
        ...(hasDiscounts ? [cell(line.discount === 0 ? '' : amount(-line.discount))] : []),
        cell(`${untaxed ? 0 : line.taxRate} %`),
        cell(amount(line.net)),
      ],
      sum: amount(sum),
    };
  });
  const totals: Row[] = [
    gap(8),
    amountRow('Net', amount(document.subtotal), styles.normal),
    ...taxRowsOf(document).map((row) =>
      amountRow(`VAT ${row.rate} % on ${amount(row.base)}`, amount(row.amount), styles.normal),
    ),
    gap(4),
    totalRow(`${nameOfTotal} ${currency}`, amount(document.total)),
  ];
  return tableOf(columns, entries, { carry: { carried: 'Carried over', forward: 'Brought forward' }, totals });
}

/** The sentence that the law requires if no tax is charged; empty if tax is charged. */
export function whyUntaxed(document: Document): Group {
  const untaxed = untaxedOf(document);
  return { rows: untaxed ? [gap(10), ...paragraph(untaxed.sentence, styles.normal)] : [] };
}
