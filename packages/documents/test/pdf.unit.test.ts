import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { creditNotePdf, invoicePdf, orderConfirmationPdf, packingSlipPdf, statementPdf } from '../src/index.ts';
import { creditNoteOf, invoiceOf, lineOf, orderConfirmationOf, packingSlipOf, statementOf } from './samples.ts';

/** What somebody gets who copies the text of the file: each letter that is drawn, by the table that the file has for it. */
function copied(pdf: Buffer): string {
  const file = pdf.toString('latin1');
  const objects = new Map(
    Array.from(file.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj$/gm), ([, id = '', content = '']) => [id, content]),
  );
  const streamOf = (content: string) => {
    const [head = '', data = ''] = content.split(/\nstream\n/);
    const bytes = Buffer.from(data.replace(/\n\nendstream$/, ''), 'latin1');
    return (head.includes('FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
  };
  const lettersOf = (font: string): string[] => {
    const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? '')?.[1] ?? '';
    const [, list = ''] = /\[(.*)\]/.exec(streamOf(objects.get(table) ?? '')) ?? [];
    return Array.from(list.matchAll(/<([0-9a-f]*)>/g), ([, hex = '']) =>
      Buffer.from(hex, 'hex').swap16().toString('utf16le'),
    );
  };
  const fonts = new Map(
    Array.from(file.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', id = '']) => [name, lettersOf(id)]),
  );
  const texts: string[] = [];
  for (const content of objects.values()) {
    if (!/^<<\n\/Length \d+\n\/Filter \/FlateDecode\n>>/.test(content)) continue;
    let letters: string[] = [];
    for (const [, font, shown] of streamOf(content).matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g)) {
      letters = fonts.get(font ?? '') ?? letters;
      const glyphs = shown?.match(/(?<=<[0-9a-f]*)[0-9a-f]{4}(?=(?:[0-9a-f]{4})*>)/g) ?? [];
      if (shown !== undefined) texts.push(glyphs.map((glyph) => letters[Number.parseInt(glyph, 16)] ?? '?').join(''));
    }
  }
  return texts.join('\n');
}

const languages = invoiceOf(
  { buyer: { businessName: 'Ζαχαροπλαστείο Α.Ε.', address: 'Αθήνα', country: 'GR', vatNumber: 'EL094259216' } },
  [
    lineOf({ description: 'Herbata „Źródło”, żółć i gęś' }),
    lineOf({ description: 'Чай «Їжак», fifty office files', quantity: 2 }),
  ],
);

describe('a PDF', () => {
  it('has a text that can be copied: Greek, Polish and Cyrillic letters', async () => {
    const text = copied(await invoicePdf(languages));
    expect(text).toContain('Ζαχαροπλαστείο Α.Ε.\n');
    expect(text).toContain('\nHerbata „Źródło”, żółć i gęś\n');
    expect(text).toContain('\nЧай «Їжак», fifty office files\n');
    expect(text).toContain('\nINV-2026-000123\n');
  });

  it('has a letter that can be copied after a document in which it was a part of another letter', async () => {
    await invoicePdf(invoiceOf({}, [lineOf({ description: 'Ӂ' })]));
    expect(copied(await invoicePdf(invoiceOf({}, [lineOf({ description: 'ЖЖЖ' })])))).toContain('\nЖЖЖ\n');
  });

  it('has letters that can be copied where they are joined, and where several share a form', async () => {
    const businessName = 'الخليج תעשיות 深圳 ビル 주식 จำนวน';
    const buyer = { businessName, address: 'X', country: 'SA', vatNumber: null };
    // A piece ends where a mark is moved.
    const text = copied(await invoicePdf(invoiceOf({ buyer }))).replaceAll('\n', '');
    // From left to right, as they stand on the page.
    const reversed = (word: string) => Array.from(word).toReversed().join('');
    for (const part of [reversed('الخليج'), reversed('תעשיות'), '深圳', 'ビル', '주식', 'นวน'])
      expect(text).toContain(part);
  });

  it('shows letters that the library can not join', async () => {
    const buyer = { businessName: 'ݠ', address: 'X', country: 'SA', vatNumber: null };
    expect(copied(await invoicePdf(invoiceOf({ buyer })))).toContain('\nݠ\n');
  });

  it('says that it is PDF/A-2b, and embeds every font', async () => {
    for (const pdf of [
      await invoicePdf(invoiceOf()),
      await creditNotePdf(creditNoteOf()),
      await statementPdf(statementOf()),
      await orderConfirmationPdf(orderConfirmationOf()),
      await packingSlipPdf(packingSlipOf()),
    ]) {
      const file = pdf.toString('latin1');
      expect(file).toMatch(/^%PDF-1\.7\n/);
      expect(file).toContain('<pdfaid:part>2</pdfaid:part>');
      expect(file).toContain('<pdfaid:conformance>B</pdfaid:conformance>');
      expect(file).toContain('/GTS_PDFA1');
      expect(file.match(/\/Type \/FontDescriptor/g)).toHaveLength(2);
      expect(file.match(/\/FontFile2 /g)).toHaveLength(2);
      expect(file).not.toContain('Helvetica');
    }
  });

  it('names its language', async () => {
    const german = await orderConfirmationPdf(orderConfirmationOf({ locale: 'de' }));
    expect(german.toString('latin1')).toContain('/Lang (de)');
    expect((await packingSlipPdf(packingSlipOf())).toString('latin1')).toContain('/Lang (en)');
  });

  it('has the same bytes for the same document, beside and after others', async () => {
    const alone = await invoicePdf(languages);
    const others = [lineOf({ description: 'Ωμέγα Ω µ μ\u00a0fi' }), lineOf({ description: 'ﬁ ﬀ' })];
    const [again] = await Promise.all([invoicePdf(languages), invoicePdf(invoiceOf({}, others))]);
    expect(again.equals(alone)).toBe(true);
    expect((await invoicePdf(languages)).equals(alone)).toBe(true);
    const joined = invoiceOf({ reference: 'شركة בע"מ 公司' }, [lineOf({ description: 'प्रिंटिंग จำกัด ビル 주식회사' })]);
    const first = await invoicePdf(joined);
    await invoicePdf(invoiceOf({ reference: 'الخليج' }, [lineOf({ description: 'हिन्दी น้ำ 深圳' })]));
    expect((await invoicePdf(joined)).equals(first)).toBe(true);
    expect((await invoicePdf({ ...languages, number: 'INV-2026-000124' })).equals(alone)).toBe(false);
  });

  it('of many lines leaves other work its turn between them', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await invoicePdf(
      invoiceOf(
        {},
        Array.from({ length: 200 }, () => lineOf()),
      ),
    );
    isDone = true;
    expect(turns).toBeGreaterThan(200);
  });
});
