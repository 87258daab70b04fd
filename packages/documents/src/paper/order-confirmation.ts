import { shown, shownQuantity } from '../amounts.ts';
import type { OrderConfirmationDocument } from '../order.ts';
import { draw } from './draw.ts';
import { goodsCell, plainCell, shownDay } from './order-parts.ts';
import type { Group, Mark, Row, Table } from './pages.ts';
import { amountRow, gap, left, opening, pagesOf, paragraph, totalRow } from './parts.ts';
import { tableOf, type Column, type Entry } from './table.ts';
import { styles } from './text.ts';
import { paperWords, type PaperWords } from './words.ts';

/** The order confirmation as a PDF/A-2b file, with the same guarantees as `invoicePdf`. */
export async function orderConfirmationPdf(document: OrderConfirmationDocument): Promise<Buffer> {
  const { locale, number, madeAt } = document;
  const pages = await orderConfirmationPages(document);
  const title = `${paperWords[locale].confirmation} ${number}`;
  return draw(pages, { title, createdAt: new Date(madeAt), language: locale });
}

/** What is drawn on each page of an order confirmation. */
export async function orderConfirmationPages(document: OrderConfirmationDocument): Promise<Mark[][]> {
  const { seller, buyer, recipient, number, placedOn, reference, email, payment } = document;
  const words = paperWords[document.locale];
  const recipients = isSame(buyer, recipient)
    ? [{ label: words.bothAddresses, party: buyer }]
    : [
        { label: words.billingAddress, party: buyer },
        { label: words.deliveryAddress, party: recipient },
      ];
  const facts = [
    [words.orderNumber, number],
    [words.orderedOn, shownDay(placedOn, words)],
    [words.reference, reference],
    [words.email, email],
    [words.payment, words.payments[payment]],
  ] as const;
  return pagesOf(
    [
      opening({ title: words.confirmation, seller, recipients, facts, words }),
      await linesOf(document, words),
      ending(document, words),
    ],
    `${words.confirmation} ${number}`,
    words,
  );
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function linesOf(document: OrderConfirmationDocument, words: PaperWords): Promise<Table> {
  const { currency, lines, seller } = document;
  const amount = (value: number) => shown(value, currency, words);
  const hasDiscounts = lines.some(({ discount }) => discount !== 0);
  const columns: readonly Column[] = [
    { title: words.position, fit: 'right' },
    { title: words.description, fit: 'rest' },
    { title: words.quantity, fit: 'right' },
    { title: words.unitPrice, fit: 'right' },
    ...(hasDiscounts ? [{ title: words.discount, fit: 'right' } as const] : []),
    { title: words.vat, fit: 'right' },
    { title: `${words.amount} ${currency}`, fit: 'right' },
  ];
  let sum = 0;
  const entries = lines.map((line, index): Entry => {
    sum += line.amount;
    return {
      cells: [
        plainCell(String(index + 1)),
        goodsCell(line, seller.country),
        plainCell(shownQuantity(line.quantity, words)),
        plainCell(amount(line.unitPrice)),
        ...(hasDiscounts ? [plainCell(line.discount === 0 ? '' : amount(-line.discount))] : []),
        plainCell(percent(line.taxRate, words)),
        plainCell(amount(line.amount)),
      ],
      sum: amount(sum),
    };
  });
  const carry = { carried: words.carriedOver, forward: words.broughtForward };
  return tableOf(columns, entries, { carry, totals: totalsOf(document, sum, words) });
}

function totalsOf(
  { currency, shipping, taxIncluded, taxes, total }: OrderConfirmationDocument,
  goods: number,
  words: PaperWords,
): Row[] {
  const amount = (value: number) => shown(value, currency, words);
  const row = (label: string, value: number) => amountRow(label, amount(value), styles.normal);
  const taxRows = taxes.map(({ rate, net, tax }) => {
    const label = taxIncluded ? words.taxIncluded : words.taxOn;
    return row(label(percent(rate, words), amount(net)), tax);
  });
  const net = taxes.reduce((sum, tax) => sum + tax.net, 0);
  const sum = totalRow(`${words.total} ${currency}`, amount(total));
  return [
    gap(8),
    row(words.goods, goods),
    row(words.shipping(shipping.name), shipping.price),
    ...(shipping.discount === 0 ? [] : [row(words.shippingDiscount, -shipping.discount)]),
    ...(taxIncluded ? [gap(4), sum, gap(2), ...taxRows] : [row(words.net, net), ...taxRows, gap(4), sum]),
  ];
}

function ending({ currency, discounts, reverseCharge }: OrderConfirmationDocument, words: PaperWords): Group {
  const taken = discounts.map(({ name, code, amount }) =>
    amountRow(
      code === null ? name : `${name} (${code})`,
      shown(-amount, currency, words),
      styles.normal,
      left,
      left + 268,
    ),
  );
  return {
    rows: [
      ...(taken.length === 0 ? [] : [gap(18), ...paragraph(words.discounts, styles.label), ...taken]),
      gap(14),
      ...(reverseCharge ? [...paragraph(words.reverseCharge, styles.normal), gap(4)] : []),
      ...paragraph(words.isNoInvoice, styles.normal),
    ],
  };
}

function percent(rate: number, { decimalSign }: PaperWords): string {
  return `${String(rate).replace('.', decimalSign)} %`;
}
