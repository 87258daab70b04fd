import type { billingEvents } from '@storefront/contracts';
import { shown } from '../amounts.ts';
import type { Group, Row } from './pages.ts';
import { beside, column, gap, left, pairs, paragraph, right, textEndingAt, width } from './parts.ts';
import { lineHeight, styles } from './text.ts';
import { transferCode } from './transfer-code.ts';

/**
 * The side of the QR code in points: 30 mm. Then even the smallest possible modules, in version 13 of the code, are
 * 0.43 mm wide.
 */
const codeSize = 85;
const caption = 'Scan to transfer';

/** How to pay the invoice: until when, with which reference, and to which account. */
export function payment(document: billingEvents.InvoiceDocument): Group {
  const { bank, currency, total, dueOn, number } = document;
  if (document.isPrepaid) return { rows: [gap(20), ...paragraph('Paid by card with your order.', styles.normal)] };
  if (total === 0) return { rows: [gap(20), ...paragraph('Nothing is to be paid.', styles.normal)] };
  const facts = [
    ['Amount', `${currency} ${shown(total, currency)}`],
    ['Due date', dueOn],
    ['Payment reference', number],
    ['Account holder', bank?.name ?? null],
    ['IBAN', bank === null ? null : inFours(bank.iban)],
    ['BIC', bank?.bic ?? null],
  ] as const;
  const textWidth = width - codeSize - 30;
  const texts = beside(
    [...column('Payment', styles.name, left, textWidth), ...pairs(facts, document.seller.country, left, textWidth)],
    [],
  );
  const modules = transferCode(document);
  return { rows: [gap(22), ...(modules === null ? texts : besideCode(texts, modules))] };
}

function besideCode([first, ...others]: readonly Row[], modules: readonly (readonly boolean[])[]): Row[] {
  const marks = [
    { kind: 'code', x: right - codeSize, y: 0, size: codeSize, modules } as const,
    textEndingAt(caption, styles.small, right, codeSize + 4),
  ];
  const below = others.reduce((height, row) => height + row.height, first?.height ?? 0);
  const height = codeSize + 4 + lineHeight(styles.small);
  return [
    { height: first?.height ?? 0, marks: [...(first?.marks ?? []), ...marks] },
    ...others,
    gap(Math.max(0, height - below)),
  ];
}

/** An IBAN as it is printed: DE02 1203 0000 0000 2020 51. */
function inFours(iban: string): string {
  return iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
