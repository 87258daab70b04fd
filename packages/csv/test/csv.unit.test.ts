import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createCsv, guarded, unguarded, type CsvCell } from '../src/index.ts';

const rows: CsvCell[][] = [
  ['A', 1.5, { amount: -199_900, currency: 'EUR' }, null],
  ['=1+1', -3, { amount: 5, currency: 'JPY' }, 'two\nlines, "quoted"; and a\ttab'],
];

describe('CSV', () => {
  it('has a byte order mark, names of columns, and amounts in major units', () => {
    const { head, lines } = createCsv(['sku', 'count', 'price', 'note']);
    expect(head).toBe('\ufeffsku,count,price,note\r\n');
    expect(lines(rows)).toBe(`A,1.5,-1999.00,\r\n'=1+1,-3,5,"two\nlines, ""quoted""; and a\ttab"\r\n`);
    expect(lines([])).toBe('');
  });

  it('has semicolons and decimal commas for a German Excel', () => {
    const { head, lines } = createCsv(['sku', 'count', 'price', 'note'], 'excel-de');
    expect(head).toBe('\ufeffsku;count;price;note\r\n');
    expect(lines(rows)).toBe(`A;1,5;-1999,00;\r\n'=1+1;-3;5;"two\nlines, ""quoted""; and a\ttab"\r\n`);
  });

  it('has line breaks in quotes alone', () => {
    expect(createCsv(['one']).lines([['a\nb'], ['a\rb'], ['ab']])).toBe('"a\nb"\r\n"a\rb"\r\nab\r\n');
  });

  it('is read again as it was, whatever is in its texts', () => {
    const unit = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", ' ', 'A', '＝', '\ufeff');
    const row = fc.array(fc.string({ unit }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.array(row), fc.constantFrom('standard' as const, 'excel-de' as const), (texts, dialect) => {
        const { head, lines } = createCsv(['one', 'two'], dialect);
        const delimiter = dialect === 'standard' ? ',' : ';';
        const read: string[][] = parse(head + lines(texts), { bom: true, delimiter, record_delimiter: '\r\n' });
        expect(read.slice(1).map((cells) => cells.map(unguarded))).toEqual(texts);
      }),
      { numRuns: inject('isProof') ? 10_000 : 200 },
    );
  });

  it('guards what would be a formula, and nothing else', () => {
    for (const text of ['=1', '+1', '-1', '@A', ' =1', "'=1", "''@", '\t', '＝1']) {
      expect(guarded(text)).toBe(`'${text}`);
      expect(unguarded(guarded(text))).toBe(text);
    }
    for (const text of ['', 'A=1', "'A", "'", '1']) expect([guarded(text), unguarded(text)]).toEqual([text, text]);
  });
});
