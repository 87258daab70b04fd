import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shown } from '../src/amounts.ts';
import { creditNotePages } from '../src/paper/credit-note.ts';
import { paper } from '../src/paper/draw.ts';
import { invoicePages } from '../src/paper/invoice.ts';
import { orderConfirmationPages } from '../src/paper/order-confirmation.ts';
import { packingSlipPages } from '../src/paper/packing-slip.ts';
import { paginate, type Mark } from '../src/paper/pages.ts';
import { statementPages } from '../src/paper/statement.ts';
import { lineHeight, printable, widthOf } from '../src/paper/text.ts';
import { creditNotes, invoices, pageRuns, textOf } from './arbitrary-documents.ts';
import {
  creditNoteOf,
  invoiceOf,
  lineOf,
  orderConfirmationOf,
  orderLineOf,
  packingSlipOf,
  statementOf,
} from './samples.ts';

type Text = Extract<Mark, { readonly kind: 'text' }>;

const textsOf = (page: readonly Mark[]) => page.filter((mark): mark is Text => mark.kind === 'text');
const saidOn = (page: readonly Mark[]) => textsOf(page).map(({ text }) => text);
/** Blanks, and the marks of direction that lines begin with. */
const unseen = /[ \u200e\u200f]/g;
/** All texts in their order, without blanks: a text that was broken into lines is found in it. */
const said = (pages: readonly (readonly Mark[])[]) => pages.flatMap(saidOn).join('').replaceAll(unseen, '');
/** The same of what stands in the column of this head. */
const inColumn = (pages: readonly (readonly Mark[])[], head: string) => {
  const texts = pages.flatMap(textsOf);
  const column = texts.find(({ text }) => text === head)?.x;
  return texts.flatMap(({ text, x }) => (x === column ? text.replaceAll(unseen, '') : [])).join('');
};
const described = (pages: readonly (readonly Mark[])[]) => inColumn(pages, 'Description');
const packed = (text: string) => printable(text).replaceAll(/[ \n]/g, '');

interface Box {
  readonly what: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boxesOf(page: readonly Mark[]): Box[] {
  return page.flatMap((mark): Box[] => {
    const [left, top] = [mark.x, mark.y];
    switch (mark.kind) {
      case 'text':
        return [
          {
            what: mark.text,
            left,
            right: left + widthOf(mark.text, mark.style),
            top,
            bottom: top + lineHeight(mark.style),
          },
        ];
      case 'code':
        return [{ what: 'the QR code', left, right: left + mark.size, top, bottom: top + mark.size }];
      case 'area':
        return [];
    }
  });
}

const isFoot = ({ top }: Box) => top > paper.height - 50;

/** Nothing is beyond its part of the paper, and no two texts are over each other. No page ends with the head of a table. */
function expectInPlace(pages: readonly (readonly Mark[])[]): void {
  // What a thousandth of a point covers is rounding.
  const rounding = 0.001;
  for (const page of pages) {
    expect(saidOn(page).at(-3)).not.toMatch(/^Net [A-Z]{3}$/);
    const boxes = boxesOf(page).sort((one, other) => one.top - other.top);
    for (const [index, box] of boxes.entries()) {
      expect(box.left, box.what).toBeGreaterThan(50);
      expect(box.right, box.what).toBeLessThan(paper.width - 50);
      expect(box.top, box.what).toBeGreaterThan(40);
      expect(box.bottom, box.what).toBeLessThan(paper.height - (isFoot(box) ? 30 : 61));
      for (let next = index + 1; next < boxes.length; next += 1) {
        const other = boxes[next];
        if (other === undefined || other.top >= box.bottom - rounding) break;
        const isBeside = other.left >= box.right - rounding || other.right <= box.left + rounding;
        expect(isBeside, `${box.what} beside ${other.what}`).toBe(true);
      }
    }
  }
}

function expectNumbered(pages: readonly (readonly Mark[])[]): void {
  expect(pages.map((page) => saidOn(page).at(-1))).toEqual(
    pages.map((_, index) => `Page ${index + 1} of ${pages.length}`),
  );
}

const longest = invoiceOf(
  {
    buyer: {
      businessName: 'X'.repeat(200),
      address: Array.from({ length: 250 }, (_, index) => index % 10).join('\n'),
      country: 'GR',
      vatNumber: 'EL094259216',
    },
    bank: { name: 'W'.repeat(200), iban: `MT${'9'.repeat(29)}`, bic: 'BYLADEM1001' },
    reference: 'W'.repeat(100),
    orderRef: 'order '.repeat(16),
  },
  Array.from({ length: 200 }, (_, index) =>
    lineOf({
      description: index % 2 === 0 ? 'W'.repeat(200) : 'Źródło τσάι Їжак '.repeat(12).slice(0, 200),
      sku: 'S'.repeat(64),
      quantity: 1_000_000,
      unitPrice: 49_999,
      discount: 1,
      taxRate: index / 2,
    }),
  ),
);

describe('pages', () => {
  it('have everything in its place, and lose nothing, whatever is invoiced', async () => {
    await fc.assert(
      fc.asyncProperty(invoices, async (invoice) => {
        const pages = await invoicePages(invoice);
        expectInPlace(pages);
        expectNumbered(pages);
        const column = described(pages);
        for (const line of invoice.lines) expect(column).toContain(packed(line.description + (line.sku ?? '')));
        expect(said(pages)).toContain(packed(`Total ${invoice.currency}${shown(invoice.total, invoice.currency)}`));
      }),
      pageRuns,
    );
  });

  it('have everything in its place, and lose nothing, whatever is credited', async () => {
    await fc.assert(
      fc.asyncProperty(creditNotes, async (creditNote) => {
        const pages = await creditNotePages(creditNote);
        expectInPlace(pages);
        const column = described(pages);
        for (const line of creditNote.lines) expect(column).toContain(packed(line.description + (line.sku ?? '')));
        expect(said(pages)).toContain(packed(creditNote.reason));
      }),
      pageRuns,
    );
  });

  it('have everything in its place on the longest invoice: 200 lines at 200 rates, an address of 250 lines', async () => {
    const pages = await invoicePages(longest);
    expectInPlace(pages);
    expectNumbered(pages);
    const all = said(pages);
    for (const { rate, base, amount } of longest.taxes)
      expect(all).toContain(packed(`VAT ${rate} % on ${shown(base, 'EUR')}${shown(amount, 'EUR')}`));
    expect(all).toContain(packed(longest.reference ?? ''));
    expect(all).toContain(packed(longest.bank?.name ?? ''));
  });

  it('have everything in its place wherever the table and the payment begin', async () => {
    const { buyer } = invoiceOf();
    const bank = { name: 'W'.repeat(200), iban: `MT${'9'.repeat(29)}`, bic: 'BYLADEM1001' };
    for (let count = 1; count <= 60; count += 1) {
      const address = Array.from({ length: count }, (_, index) => `Line ${index}`).join('\n');
      const pages = await invoicePages(invoiceOf({ bank, buyer: { ...buyer, address } }));
      expectInPlace(pages);
      expect(pages.flat().filter(({ kind }) => kind === 'code')).toHaveLength(1);
    }
  });

  it('keep a group together that just has room, however its heights are added up', () => {
    const mark = { kind: 'area', x: 0, y: 0, width: 1, height: 1, colour: '#000' } as const;
    const rows = [13.2, 13.2, 0.2].map((height) => ({ height, marks: [mark] }));
    const frame = { top: 40.2, bottom: 66.8 };
    expect(40.2 + 13.2 + 13.2 + 0.2).toBeGreaterThan(frame.bottom);
    expect(paginate([{ rows }], frame)).toHaveLength(1);
  });

  it('repeat the head of the table, and carry the sum over', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => lineOf({ description: `Tea ${index}`, unitPrice: index }));
    const pages = await invoicePages(invoiceOf({}, lines));
    const last = pages.length - 1;
    expect(last).toBeGreaterThan(1);
    const nets = pages.map((page) =>
      lines.reduce((sum, line, at) => (saidOn(page).includes(`Tea ${at}`) ? sum + line.net : sum), 0),
    );
    /** The net of all lines before this page. */
    const before = (page: number) =>
      shown(
        nets.slice(0, page).reduce((sum, net) => sum + net, 0),
        'EUR',
      );
    const besides = (label: string) => (page: readonly Mark[]) => {
      const texts = saidOn(page);
      return texts.includes(label) ? texts[texts.indexOf(label) + 1] : undefined;
    };
    expect(pages.map((page) => saidOn(page).filter((text) => text === 'Description'))).toEqual(
      pages.map(() => ['Description']),
    );
    expect(pages.map(besides('Brought forward'))).toEqual(
      pages.map((_, index) => (index === 0 ? undefined : before(index))),
    );
    expect(pages.map(besides('Carried over'))).toEqual(
      pages.map((_, index) => (index === last ? undefined : before(index + 1))),
    );
    expect(saidOn(pages[last] ?? [])).toContain('Total EUR');
  });
});

describe('an invoice', () => {
  it('says who owes whom how much, by when and how it is paid', async () => {
    const [page = []] = await invoicePages(invoiceOf());
    expect(saidOn(page)).toEqual(
      [
        ['Teehandel Köhler & Söhne GmbH', 'Invoice', 'Große Bleichen 12', '20354 Hamburg', 'Germany'],
        ['VAT number DE136695976', 'To', 'Invoice number', 'INV-2026-000123'],
        ['Analytical Engines Ltd', 'Date of issue', '2026-11-21', '12 St James Square', 'Due date', '2026-12-21'],
        ['Amsterdam', 'Terms', '30 days', 'Netherlands', 'Your reference', 'PO-7781'],
        ['VAT number NL123456789B01', 'Order', 'order-1042'],
        ['No.', 'Description', 'Quantity', 'Unit price', 'VAT', 'Net EUR'],
        ['1', 'Assam, 1 kg', '3', '10.99', '19 %', '32.97', 'TEA-1'],
        ['2', 'Sencha, 50 g', '1', '3.35', '7 %', '3.35'],
        ['Net', '36.32', 'VAT 19 % on 32.97', '6.26', 'VAT 7 % on 3.35', '0.23', 'Total EUR', '42.81'],
        ['Payment', 'Scan to transfer', 'Amount', 'EUR 42.81', 'Due date', '2026-12-21'],
        ['Payment reference', 'INV-2026-000123', 'Account holder', 'Teehandel Köhler & Söhne GmbH'],
        ['IBAN', 'DE02 1203 0000 0000 2020 51', 'BIC', 'BYLADEM1001'],
        ['Invoice INV-2026-000123', 'Page 1 of 1'],
      ].flat(),
    );
    expect(page.filter(({ kind }) => kind === 'code')).toHaveLength(1);
  });

  it('has a column of discounts where there is one', async () => {
    const [page = []] = await invoicePages(invoiceOf({}, [lineOf({ discount: 97 })]));
    const texts = saidOn(page);
    expect(texts).toContain('Discount');
    expect(texts).toContain('-0.97');
  });

  it('says that the recipient is liable where the charge is reversed', async () => {
    const sentence = 'Reverse charge: the recipient is liable for the tax (Article 196, Directive 2006/112/EC).';
    const [page = []] = await invoicePages(invoiceOf({ reverseCharge: true, lines: [lineOf({ taxRate: 19 })] }));
    expect(saidOn(page)).toContain(sentence);
    expect(saidOn(page)).toContain('VAT 0 % on 36.32');
    expect(saidOn(page)).not.toContain('19 %');
    const [taxed = []] = await invoicePages(invoiceOf());
    expect(saidOn(taxed)).not.toContain(sentence);
  });

  it('has no account and no QR code where the seller has none, and asks for nothing where nothing is owed', async () => {
    const [page = []] = await invoicePages(invoiceOf({ bank: null }));
    expect(page.filter(({ kind }) => kind === 'code')).toEqual([]);
    expect(saidOn(page)).not.toContain('IBAN');
    expect(saidOn(page)).toContain('Payment reference');
    const [free = []] = await invoicePages(invoiceOf({}, [lineOf({ unitPrice: 0 })]));
    expect(saidOn(free)).toContain('Nothing is to be paid.');
    const [paid = []] = await invoicePages(invoiceOf({ isPrepaid: true }));
    expect(paid.filter(({ kind }) => kind === 'code')).toEqual([]);
    expect(saidOn(paid)).toContain('Paid by card with your order.');
    for (const text of ['IBAN', 'Due date', 'Payment reference']) expect(saidOn(paid)).not.toContain(text);
  });

  it('can be of a buyer of whom nothing is known any more', async () => {
    const buyer = { businessName: '', address: '', country: '', vatNumber: null };
    const [page = []] = await invoicePages(invoiceOf({ buyer }));
    const texts = saidOn(page);
    expect(texts.slice(texts.indexOf('To'), texts.indexOf('No.'))).toEqual(
      ['To', 'Invoice number', 'INV-2026-000123', 'Date of issue', '2026-11-21', 'Due date', '2026-12-21'].concat([
        'Terms',
        '30 days',
        'Your reference',
        'PO-7781',
        'Order',
        'order-1042',
      ]),
    );
  });

  it.each([
    ['Chinese', '深圳市创新科技有限公司', '广东省深圳市南山区科技园南路1号', 'CN'],
    ['Japanese', '株式会社東京貿易商会', '東京都千代田区丸の内1-1 ビルディング', 'JP'],
    ['Korean', '주식회사 한국무역', '서울특별시 강남구 테헤란로 123', 'KR'],
    ['Arabic', 'شركة الخليج للتجارة (Gulf) ذ.م.م', 'شارع الملك فهد ١٢٣', 'SA'],
    ['Hebrew', 'תעשיות אלפא בע"מ Alpha Ltd', 'רחוב הרצל 15', 'IL'],
    ['Thai', 'บริษัท สยามการค้า จำกัด', 'ถนนสุขุมวิท กรุงเทพมหานคร', 'TH'],
    ['Hindi', 'भारतीय प्रिंटिंग प्राइवेट लिमिटेड', 'कनॉट प्लेस, नई दिल्ली', 'IN'],
  ])('has the name and the address of a buyer in %s', async (_language, businessName, address, country) => {
    const given = { buyer: { businessName, address, country, vatNumber: null }, reference: businessName };
    const pages = await invoicePages(invoiceOf(given, [lineOf({ description: businessName })]));
    expectInPlace(pages);
    expect(said(pages)).not.toContain('\ufffd');
    for (const text of [businessName, address]) expect(said(pages)).toContain(text.replaceAll(' ', ''));
    expect(described(pages)).toContain(businessName.replaceAll(' ', ''));
  });

  it('names the country once', async () => {
    const { seller } = invoiceOf();
    const [page = []] = await invoicePages(
      invoiceOf({ seller: { ...seller, address: 'Große Bleichen 12\n20354 Hamburg\nGERMANY' } }),
    );
    expect(saidOn(page).filter((text) => /germany/i.test(text))).toEqual(['GERMANY']);
  });

  it.each([
    ['DE', 'Große Bleichen 12\n20354 Hamburg\nDeutschland', /germany/i],
    ['GB', '1 Mill Lane, London, UK', /united kingdom/i],
    ['CH', 'Bahnhofstrasse 1\nCH-8001 Zürich', /switzerland/i],
    ['JP', '東京都千代田区丸の内1-1\n日本', /japan/i],
  ])('does not name %s again in English where the address names it in its own way', async (country, address, name) => {
    const { buyer, seller } = invoiceOf();
    const given = { seller: { ...seller, country: 'NL' } };
    const named = await invoicePages(invoiceOf({ ...given, buyer: { ...buyer, address, country } }));
    expect(saidOn(named[0] ?? []).filter((text) => name.test(text))).toEqual([]);
    const [line = ''] = address.split('\n');
    const unnamed = await invoicePages(invoiceOf({ ...given, buyer: { ...buyer, address: `${line}\nX`, country } }));
    expect(saidOn(unnamed[0] ?? []).filter((text) => name.test(text))).toHaveLength(1);
  });

  it('says why there is no tax where it leaves the EU', async () => {
    const { buyer } = invoiceOf();
    const away = { ...buyer, address: '1 Mill Lane\nLondon', country: 'GB' };
    const [page = []] = await invoicePages(invoiceOf({ taxTreatment: 'export', buyer: away }));
    const texts = saidOn(page);
    expect(texts.join(' ')).toMatch('Not subject to VAT of Germany: export outside the European Union (Article 146');
    expect(texts).toEqual(expect.arrayContaining(['VAT 0 % on 36.32', 'United Kingdom']));
  });
});

describe('a credit note', () => {
  it('names the invoice and the reason', async () => {
    const [page = []] = await creditNotePages(creditNoteOf());
    const texts = saidOn(page);
    expect(texts).toEqual(expect.arrayContaining(['Credit note', 'For invoice', 'INV-2026-000122', '2026-11-02']));
    expect(texts).toEqual(expect.arrayContaining(['Reason', 'Damaged on the way', 'Total credited EUR', '42.81']));
    expect(page.filter(({ kind }) => kind === 'code')).toEqual([]);
  });
});

describe('a statement', () => {
  it('says what was owed, what came and went, and what is owed by age', async () => {
    const [page = []] = await statementPages(statementOf({ opening: 10_000 }));
    const texts = saidOn(page);
    expect(texts).toEqual(expect.arrayContaining(['Period', '2026-11-01 to 2026-11-30', 'Date', '2026-12-02']));
    expect(texts.slice(texts.indexOf('Opening balance') - 1)).toEqual(
      [
        ['2026-11-01', 'Opening balance', '100.00'],
        ['2026-11-03', 'Invoice', 'INV-2026-000120', '42.81', '142.81'],
        ['2026-11-20', 'Payment', 'pay_01', '-142.81', '0.00'],
        ['Closing balance', '0.00', 'A balance above 0 is owed by you; one below 0 is in your favour.'],
        ['Owed on 2026-12-02, by age', 'Not due yet', '0.00', '1 to 30 days overdue', '0.00'],
        ['31 to 60 days overdue', '0.00', '61 to 90 days overdue', '0.00', 'More than 90 days overdue', '0.00'],
        ['Credit of the account', '100.00', 'Statement of account 2026-11-01 to 2026-11-30', 'Page 1 of 1'],
      ].flat(),
    );
  });

  it('carries the balance over', async () => {
    const entries = Array.from({ length: 60 }, (_, index) => ({
      on: '2026-11-05',
      kind: 'invoice' as const,
      number: `INV-2026-${String(index).padStart(6, '0')}`,
      id: `inv_${index}`,
      amount: 100,
    }));
    const pages = await statementPages(statementOf({}, entries));
    expectInPlace(pages);
    const [first = [], second = []] = pages.map(saidOn);
    const carried = first[first.indexOf('Balance carried over') + 1];
    expect(carried).toBe(first[first.indexOf('Balance carried over') - 1]);
    expect(second[second.indexOf('Balance brought forward') + 1]).toBe(carried);
  });
});

describe('papers of an order', () => {
  const elsewhere = { businessName: 'Tea House', address: 'Hauptstraße 1\n1010 Wien', country: 'AT', vatNumber: null };

  it('confirm what was ordered, where it goes and what it costs, in English', async () => {
    const discount = { name: 'Spring', code: 'SPRING26', amount: 97 };
    const lines = [
      orderLineOf({ discount: 97 }),
      orderLineOf({ name: 'Sencha', values: [], sku: 'S-1', taxRate: 5.5 }),
    ];
    const confirmation = orderConfirmationOf({ email: 'ada@example.com', discounts: [discount] }, lines);
    const [page = []] = await orderConfirmationPages(confirmation);
    expect(saidOn(page)).toEqual(
      [
        ['Teehandel Köhler & Söhne GmbH', 'Order confirmation', 'Große Bleichen 12', '20354 Hamburg', 'Germany'],
        ['VAT number DE136695976', 'Billing and delivery address', 'Order number', 'ORD-2026-000123'],
        ['Ada Lovelace', 'Ordered on', '26 November 2026', 'Keizersgracht 1', 'Email', 'ada@example.com'],
        ['Amsterdam', 'Payment', 'by card', 'Netherlands'],
        ['No.', 'Description', 'Quantity', 'Unit price', 'Discount', 'VAT', 'Amount EUR'],
        ['1', 'Assam', '3', '10.99', '-0.97', '19 %', '32.00', '1 kg', 'TEA-1'],
        ['2', 'Sencha', '3', '10.99', '', '5.5 %', '32.97', 'S-1'],
        ['Goods', '64.97', 'Shipping: Parcel', '5.00', 'Total EUR', '69.97'],
        ['including VAT 19 % on 31.09', '5.91', 'including VAT 5.5 % on 31.25', '1.72'],
        ['Discounts that are taken off above', 'Spring (SPRING26)', '-0.97', 'This confirmation is not an invoice.'],
        ['Order confirmation ORD-2026-000123', 'Page 1 of 1'],
      ].flat(),
    );
  });

  it('confirm it in German, with tax on top, no tax, and another billing address', async () => {
    const shipping = { name: 'Paket', price: 500, discount: 100 };
    const trade = { locale: 'de', taxIncluded: false, payment: 'invoice', buyer: elsewhere, shipping } as const;
    const [page = []] = await orderConfirmationPages(
      orderConfirmationOf({ ...trade, reference: 'PO-7' }, [orderLineOf({ quantity: 1234 })]),
    );
    const texts = saidOn(page);
    expect(texts).toEqual(expect.arrayContaining(['Rechnungsadresse', 'Österreich', 'Lieferadresse', 'Niederlande']));
    expect(texts).toEqual(expect.arrayContaining(['26. November 2026', 'Ihr Zeichen', 'PO-7', 'auf Rechnung']));
    expect(texts.slice(texts.indexOf('1.234'))).toEqual(
      [
        ['1.234', '10,99', '19 %', '13.561,66', '1 kg', 'TEA-1', 'Waren', '13.561,66', 'Versand: Paket', '5,00'],
        ['Rabatt auf den Versand', '-1,00', 'Netto', '13.565,66', 'USt. 19 % auf 13.565,66', '2.577,48'],
        ['Gesamtbetrag EUR', '16.143,14', 'Diese Bestätigung ist keine Rechnung.'],
        ['Bestellbestätigung ORD-2026-000123', 'Seite 1 von 1'],
      ].flat(),
    );
    const free = { name: 'Paket', price: 0, discount: 0 };
    const [untaxed = []] = await orderConfirmationPages(
      orderConfirmationOf({ ...trade, shipping: free, reverseCharge: true }, [orderLineOf({ taxRate: 0 })]),
    );
    expect(saidOn(untaxed)).toEqual(expect.arrayContaining(['USt. 0 % auf 32,97', '0,00']));
    expect(saidOn(untaxed).join(' ')).toContain('Steuerschuldnerschaft des Leistungsempfängers');
  });

  it.each([
    ['JPY', 'Total JPY', '3,797'],
    ['KWD', 'Total KWD', '3.797'],
  ])('have the decimals of %s', async (currency, label, total) => {
    const [page = []] = await orderConfirmationPages(orderConfirmationOf({ currency }));
    expect(saidOn(page)).toEqual(expect.arrayContaining([label, total]));
  });

  it('pack it without prices', async () => {
    const [page = []] = await packingSlipPages(packingSlipOf({ reference: 'PO-7' }));
    const texts = saidOn(page);
    expect(texts.slice(texts.indexOf('Delivery address'))).toEqual(
      [
        ['Delivery address', 'Order number', 'ORD-2026-000123', 'Ada Lovelace', 'Ordered on', '26 November 2026'],
        ['Keizersgracht 1', 'Your reference', 'PO-7', 'Amsterdam', 'Shipping', 'Parcel'],
        ['Netherlands', 'Shipped on', '27 November 2026', 'Carrier', 'DHL', 'Tracking number', '00340434161094042557'],
        ['No.', 'Description', 'Quantity', '1', 'Assam', '3', '1 kg', 'TEA-1', 'Pieces', '3'],
        ['Packing slip ORD-2026-000123', 'Page 1 of 1'],
      ].flat(),
    );
    const [left = []] = await packingSlipPages(packingSlipOf({ locale: 'de', shipment: null }));
    expect(saidOn(left)).toEqual(expect.arrayContaining(['Lieferschein', 'Stück', 'Seite 1 von 1']));
    expect(saidOn(left)).not.toContain('Versendet am');
  });

  it('have everything in its place on 100 lines with names of 200 characters, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(textOf(200), textOf(64), textOf(200), async (name, sku, businessName) => {
        const lines = Array.from({ length: 100 }, (_, index) => {
          const long = index % 3 === 0 ? 'W'.repeat(200) : name;
          return orderLineOf({ name: long, values: [sku, 'W'.repeat(60)], sku, unitPrice: 9_999_999, discount: index });
        });
        const given = { recipient: { ...elsewhere, businessName }, currency: 'KWD' };
        const { seller } = orderConfirmationOf();
        for (const pages of [
          await orderConfirmationPages(orderConfirmationOf(given, lines)),
          await packingSlipPages(packingSlipOf({ ...given, lines })),
        ]) {
          expectInPlace(pages);
          expectNumbered(pages);
          expect(inColumn(pages, seller.businessName)).toContain(packed(businessName));
          expect(described(pages)).toContain(packed(`${name}${sku}, ${'W'.repeat(60)}${sku}`));
        }
      }),
      { numRuns: Math.ceil(pageRuns.numRuns / 12) },
    );
  });
});
