import { catalogHttp } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { createClaims, type Claims } from '../claims.ts';
import { newProduct } from '../product.ts';
import { faultInWords } from './file-row.ts';
import { createRefusedCsv } from './report.ts';
import { decideFile, idOf } from '../../../test/decide-file.ts';
import { encoded, faultyFile, type Delimiter, type FileEncoding } from '../../../test/faulty-file.ts';

/** As an import into an empty catalog with the category `tea`. */
const decide = (bytes: Uint8Array) =>
  decideFile(bytes, { categories: new Map([['tea', 'cat_01h455vb4pex5vsknk084sn02q']]) });

describe('2,000 rows with ten kinds of faults', () => {
  const encodings: FileEncoding[] = ['utf-8', 'utf-8 with mark', 'utf-16le', 'windows-1252'];
  const delimiters: Delimiter[] = [',', ';', '\t'];

  it.each(encodings.flatMap((encoding) => delimiters.map((delimiter) => [encoding, delimiter] as const)))(
    'in %s with %j: exactly these are refused, each by its line and column',
    (encoding, delimiter) => {
      const { text, faults, warned } = faultyFile(delimiter);
      const { file, outcomes } = decide(encoded(text, encoding));
      expect([file.encoding, file.delimiter]).toEqual([encoding.replace(' with mark', ''), delimiter]);
      const refused = outcomes.filter(({ result }) => result === 'refused');
      expect(refused.flatMap((row) => row.faults.map((fault) => faultInWords(row, fault)))).toEqual(faults);
      expect(outcomes.length - refused.length).toBe(2000 - faults.length);
      // A trade price above the price is no fault.
      expect(outcomes.filter(({ warnings }) => warnings.length > 0).map(({ place }) => place)).toEqual([warned]);
    },
  );

  it('are written as a file to be mended, in which the same rows are refused', () => {
    for (const delimiter of delimiters) {
      const { file, outcomes } = decide(Buffer.from(faultyFile(delimiter).text));
      const refused = outcomes.filter(({ result }) => result === 'refused');
      const { head, lines } = createRefusedCsv(file);
      const again = decide(Buffer.from(head + lines(refused)));
      expect(again.file.columns).toEqual(['reason', ...file.columns]);
      // A SKU that stood twice in the first file stands once in this one. A stray quote is a part of its name now.
      expect(again.outcomes.filter(({ result }) => result !== 'refused').map(({ sku }) => sku)).toEqual([
        'ROW-2',
        'ROW-1001',
      ]);
      expect(again.outcomes[0]).toMatchObject({
        faults: refused[0]?.faults,
        cells: [expect.any(String), ...(refused[0]?.cells ?? [])],
      });
    }
  });
});

describe('a row', () => {
  const product = newProduct(
    catalogHttp.productCreation.parse({
      sku: 'A',
      name: 'Mug',
      images: [{ url: 'https://x.example/a.png', alt: 'A mug' }],
      price: { amount: 1000, currency: 'EUR' },
      stock: 3,
    }),
    { id: 'prod_a', slug: 'mug', now: new Date(0) },
  );
  const decideOne = (text: string, slugs?: Claims) =>
    decideFile(text, { products: [product], ...(slugs && { slugs }) });

  it('says which cells it changes, from what to what', () => {
    const { outcomes } = decideOne('sku,price,stock,name\nA,12.5,3,\nB,5,,Cup\n');
    expect(outcomes).toMatchObject([
      { result: 'changed', changes: [{ column: 'price', from: '10.00', to: '12.50' }] },
      {
        result: 'created',
        changes: [
          { column: 'sku', from: null, to: 'B' },
          { column: 'name', from: null, to: 'Cup' },
          { column: 'slug', from: null, to: 'cup' },
          { column: 'price', from: null, to: '5.00' },
          { column: 'stock', from: null, to: '0' },
          { column: 'status', from: null, to: 'active' },
          { column: 'taxClass', from: null, to: 'standard' },
        ],
      },
    ]);
    expect(decideOne('sku,price,stock\nA,10,3\n').outcomes).toMatchObject([{ result: 'unchanged', changes: [] }]);
  });

  it('reads attributes, tax class and weight', () => {
    const cell = String.raw`"colour=blue|code=""300""|grams=30|organic=true|note=a \| b"`;
    const { outcomes, products } = decideOne(`sku,attributes,taxClass,weight\nA,${cell},reduced,120\n`);
    expect(products[0]?.after).toMatchObject({
      attributes: { colour: 'blue', code: '300', grams: 30, organic: true, note: 'a | b' },
      selling: { taxClass: 'reduced', weight: 120 },
    });
    expect(outcomes[0]?.changes.map(({ column, to }) => [column, to])).toEqual([
      ['attributes', String.raw`colour=blue|code="300"|grams=30|organic=true|note=a \| b`],
      ['taxClass', 'reduced'],
      ['weight', '120'],
    ]);
    const [refused] = decideOne('sku,attributes,weight\nA,blue,-1\n').outcomes;
    expect(refused?.faults.map(({ column }) => column)).toEqual(['attributes', 'weight']);
  });

  it('keeps the text of a picture unless it has another one', () => {
    const images = (cell: string) => decideOne(`sku,images\nA,${cell}\n`).products[0]?.after.images;
    expect(images('https://x.example/a.png|https://x.example/b.png')).toEqual([
      { url: 'https://x.example/a.png', alt: 'A mug' },
      { url: 'https://x.example/b.png', alt: '' },
    ]);
    expect(images(String.raw`https://x.example/a.png Blue \| white`)).toEqual([
      { url: 'https://x.example/a.png', alt: 'Blue | white' },
    ]);
  });

  it('frees its slug for a later row', () => {
    const slugs = createClaims([{ value: 'mug', owner: 'prod_a' }]);
    const { outcomes } = decideOne('sku,slug,name,price\nA,old-mug,,\nB,mug,Cup,5\nC,mug,Pot,5\n', slugs);
    expect(outcomes.map(({ result }) => result)).toEqual(['changed', 'created', 'refused']);
    expect([slugs.taken, slugs.released]).toEqual([
      [
        { value: 'old-mug', owner: 'prod_a' },
        { value: 'mug', owner: idOf('B') },
      ],
      [{ value: 'mug', owner: 'prod_a' }],
    ]);
  });

  it('has no formula in its cells, whose apostrophe is not stored', () => {
    expect(decideOne(`sku,name\nA,'=1+1\n`).products[0]?.after.name).toBe('=1+1');
  });
});
