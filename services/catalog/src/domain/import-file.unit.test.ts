import { describe, expect, it } from 'vitest';
import { readImportFile } from './import-file.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const csv = (text: string) => [...readImportFile(bytesOf(text), false)];
const json = (text: string) => [...readImportFile(bytesOf(text), true)];

describe('a file that is refused as a whole', () => {
  it.each([
    ['nothing in it', '', 'The file is empty.'],
    ['blanks alone', '\ufeff \r\n\n', 'The file is empty.'],
    ['an unknown column', 'sku,colour\nA,red', /^Line 1 must name the columns, .*: there is no column colour\.$/],
    ['a column twice', '\nsku,name,name\nA,B,C', /^Line 2 .*: the column name is named twice\.$/],
    ['a column without a name', 'sku,,name\nA,,B', /column 2 has no name/],
    ['no column of SKUs', 'name,price\nMug,1', /the column sku is missing/],
    ['semicolons', 'sku;name\nA;B', /separated by commas/],
    [
      'a quote among the columns',
      'sku,"name\nA,B',
      /Line 1 must name the columns, but a quote is opened and not closed/,
    ],
  ])('%s', (_what, text, says) => {
    expect(() => csv(text)).toThrow(says);
  });

  it.each([
    ['Latin-1', bytesOf('sku,name\r\nA,Mug\r\nB,Gr\u00fcn\r\n', 'latin1'), 'Line 3 holds bytes that are not UTF-8.'],
    ['Latin-1 without an end of the line', bytesOf('sku\rA\rGr\u00fcn', 'latin1'), 'Line 3 holds bytes'],
    ['UTF-16', bytesOf('\ufeffsku,name\nA,Mug\n', 'utf16le'), 'Line 1 holds bytes'],
    [
      'a sign cut in two',
      Buffer.concat([bytesOf('sku\nA\n'), Buffer.from([0xe8, 0x8c]), bytesOf('\nB\n')]),
      'Line 3 holds',
    ],
  ])('bytes of %s', (_what, bytes, says) => {
    for (const isJson of [false, true]) expect(() => readImportFile(bytes, isJson)).toThrow(says);
  });

  it.each([
    ['no JSON', '[{', 'The file is not JSON: '],
    ['another thing than a list', '{}', 'The file must hold a list of products.'],
    ['nothing in it', ' ', 'The file is empty.'],
  ])('JSON: %s', (_what, text, says) => {
    expect(() => json(text)).toThrow(says);
  });
});

describe('the rows of a file', () => {
  it('are the same with and without a byte order mark, and whatever ends a line', () => {
    const rows = [
      { place: 'line 2', row: { sku: 'A', name: 'Grün' } },
      { place: 'line 4', row: { sku: 'B', name: 'x, "y"' } },
    ];
    const text = 'sku , name\nA, Grün\n\nB,"x, ""y"""\n';
    for (const end of ['\n', '\r\n', '\r'])
      for (const mark of ['', '\ufeff']) expect(csv(mark + text.replaceAll('\n', end))).toEqual(rows);
    expect(json('\ufeff[{"sku":"A"},5]')).toEqual([
      { place: 'product 1', row: { sku: 'A' } },
      { place: 'product 2', row: 5 },
    ]);
    expect(csv('sku,name')).toEqual([]);
  });

  const fields = 'sku,name,description\n';
  const places = (text: string) => csv(fields + text).map((row) => [row.place, 'reasons' in row ? row.sku : 'taken']);

  it.each([
    [
      'A,B,"two\nlines"\nC,D,E',
      [
        ['lines 2 to 3', 'taken'],
        ['line 4', 'taken'],
      ],
    ],
    [
      'A,B,"two\nlines",x\nC,D,E',
      [
        ['lines 2 to 3', 'A'],
        ['line 4', 'taken'],
      ],
    ],
    [
      'A,B\nC,D,E',
      [
        ['line 2', 'A'],
        ['line 3', 'taken'],
      ],
    ],
    [
      'A,"B,x\nC,"D",E\nF,G,H',
      [
        ['line 2', 'A'],
        ['line 3', 'taken'],
        ['line 4', 'taken'],
      ],
    ],
    [
      'A,"B,x\nC,D",E\nF,G,H',
      [
        ['line 2', 'A'],
        ['line 3', 'C'],
        ['line 4', 'taken'],
      ],
    ],
    [
      'A,B,"x\nC,D,E\nF,G,5"\nH,I,J',
      [
        ['line 2', 'A'],
        ['line 3', 'taken'],
        ['line 4', 'F'],
        ['line 5', 'taken'],
      ],
    ],
    [
      'A,B,"x\nC,D,"y',
      [
        ['line 2', 'A'],
        ['line 3', 'C'],
      ],
    ],
    ['A,B,"x\n\n', [['lines 2 to 4', 'A']]],
    [
      '"A,B,x\nC,D,E',
      [
        ['line 2', null],
        ['line 3', 'taken'],
      ],
    ],
    [
      'A,B,x"y"z\nC,"D"E,F\nG,H,I',
      [
        ['line 2', 'A'],
        ['line 3', 'C'],
        ['line 4', 'taken'],
      ],
    ],
  ])('of CSV: %j', (text, expected) => {
    expect(places(text)).toEqual(expected);
  });

  it('of JSON are refused where a text holds half of a surrogate pair', () => {
    const rows = json(
      String.raw`[{"sku":"A","images":[{"url":"https://x.example/\ud83d.png"}]},{"sku":"B","name":"\ud83d\ude00"}]`,
    );
    expect(rows).toEqual([
      { place: 'product 1', sku: 'A', reasons: ['images: holds half of a surrogate pair, which is no character'] },
      { place: 'product 2', row: { sku: 'B', name: '😀' } },
    ]);
  });

  it('are read in a time that grows with the file alone, however its quotes stand', () => {
    const begun = performance.now();
    const faults = Array.from({ length: 4000 }, (_, index) => (index % 2 === 0 ? 'A,"B,x' : 'A,"""",x'));
    expect(csv(fields + faults.join('\n')).filter((row) => 'row' in row).length).toBe(2000);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
