import { shownQuantity } from '../amounts.ts';
import type { PackingSlipDocument } from '../order.ts';
import { draw } from './draw.ts';
import { goodsCell, plainCell, shownDay } from './order-parts.ts';
import type { Mark } from './pages.ts';
import { amountRow, gap, opening, pagesOf } from './parts.ts';
import { tableOf, type Column, type Entry } from './table.ts';
import { styles } from './text.ts';
import { paperWords } from './words.ts';

/** The packing slip as a PDF/A-2b file, with the same guarantees as `invoicePdf`. */
export async function packingSlipPdf(document: PackingSlipDocument): Promise<Buffer> {
  const { locale, number, madeAt } = document;
  const pages = await packingSlipPages(document);
  const title = `${paperWords[locale].packingSlip} ${number}`;
  return draw(pages, { title, createdAt: new Date(madeAt), language: locale });
}

/** What is drawn on each page of a packing slip. */
export async function packingSlipPages(document: PackingSlipDocument): Promise<Mark[][]> {
  const { seller, recipient, number, placedOn, reference, shippingOption, shipment, lines } = document;
  const words = paperWords[document.locale];
  const facts = [
    [words.orderNumber, number],
    [words.orderedOn, shownDay(placedOn, words)],
    [words.reference, reference],
    [words.shippingOption, shippingOption],
    [words.shippedOn, shipment && shownDay(shipment.shippedOn, words)],
    [words.carrier, shipment?.carrier ?? null],
    [words.trackingNumber, shipment?.trackingNumber ?? null],
  ] as const;
  const columns: readonly Column[] = [
    { title: words.position, fit: 'right' },
    { title: words.description, fit: 'rest' },
    { title: words.quantity, fit: 'right' },
  ];
  const entries = lines.map((line, index): Entry => {
    const cells = [
      plainCell(String(index + 1)),
      goodsCell(line, seller.country),
      plainCell(shownQuantity(line.quantity, words)),
    ];
    return { cells, sum: '' };
  });
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const totals = [gap(8), amountRow(words.pieces, shownQuantity(pieces, words), styles.strong)];
  const recipients = [{ label: words.deliveryAddress, party: recipient }];
  return pagesOf(
    [
      opening({ title: words.packingSlip, seller, recipients, facts, words }),
      await tableOf(columns, entries, { carry: null, totals }),
    ],
    `${words.packingSlip} ${number}`,
    words,
  );
}
