import { describe, expect, it } from 'vitest';
import { readImportFile } from './import-file.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const csv = (text: string) => [...readImportFile(bytesOf(text), false).rows];
const json = (text: string) => [...readImportFile(bytesOf(text), true).rows];

describe('a file that is refused as a whole', () => {
  it.each([
    ['nothing in it', '', 'The file is empty.'],
    ['blanks alone', '\ufeff \r\n\n', 'The file is empty.'],
    ['an unknown column', 'sku,colour\nA,red', /^Line 1 must name the columns, .*: there is no column colour\.$/],
    ['a column twice', '\nsku,name,name\nA,B,C', /^Line 2 .*: the column name is named twice\.$/],
    ['a column without a name', 'sku,,name\nA,,B', /column 2 has no name/],
    ['no column of SKUs', 'name,price\nMug,1', /the column sku is missing/],
    ['bars', 'sku|name\nA|B', /separated by commas/],
    [
      'semicolons and an unknown column',
      'sku;colour\nA;B',
      /separated by semicolons, .*: there is no column colour\.$/,
    ],
    [
      'a quote among the columns',
      'sku,"name\nA,B',
      /^Line 1 must name the columns, .*: a quote is opened and not closed/,
    ],
  ])('%s', (_what, text, says) => {
    expect(() => csv(text)).toThrow(says);
  });

  it.each([
    [
      'a sign cut in two',
      Buffer.concat([bytesOf('sku\nA\n'), Buffer.from([0xe8, 0x8c]), bytesOf('\nB\n')]),
      'Line 3 holds bytes that are not UTF-8',
    ],
    [
      'much UTF-8 and one wrong byte',
      Buffer.concat([bytesOf('sku,name\nA,Grün\nB,Gr'), Buffer.from([0xfc, 0x6e])]),
      'Line 3',
    ],
    ['the code page of DOS', Buffer.concat([bytesOf('sku,name\nA,Gr'), Buffer.from([0x81]), bytesOf('n')]), 'Line 2'],
    ['Mac OS Roman', Buffer.concat([bytesOf('sku,name\nA,Gr'), Buffer.from([0x9f]), bytesOf('n')]), 'Line 2'],
    [
      'Cyrillic in Windows-1251',
      Buffer.concat([bytesOf('sku,name\nA,'), Buffer.from([0xd7, 0xe0, 0xe9, 0xed, 0xe8, 0xea])]),
      'Line 2',
    ],
    [
      'Polish in Windows-1250',
      Buffer.concat([bytesOf('sku,name\nA,Z'), Buffer.from([0xb3]), bytesOf('oty kubek')]),
      'Line 2',
    ],
    [
      'half a sign of UTF-16',
      Buffer.concat([bytesOf('\ufeffsku\nA', 'utf16le'), Buffer.from([65])]),
      'begins as UTF-16',
    ],
  ])('bytes of %s', (_what, bytes, says) => {
    expect(() => readImportFile(bytes, false)).toThrow(says);
  });

  it('JSON that is not UTF-8', () => {
    expect(() => readImportFile(bytesOf('["Gr\u00fcn"]', 'latin1'), true)).toThrow('not UTF-8, which JSON must be');
  });

  it.each([
    ['no JSON', '[{', 'The file is not JSON: '],
    ['another thing than a list', '{}', 'The file must hold a list of products.'],
    ['nothing in it', ' ', 'The file is empty.'],
  ])('JSON: %s', (_what, text, says) => {
    expect(() => json(text)).toThrow(says);
  });
});

describe('what a file is', () => {
  const text = 'sku,name\nA,Grüner Tee für 5 € – “süß”\n';
  const euro = Buffer.from([0x80]);
  const windows = Buffer.concat([
    bytesOf('sku;name\nA;Gr\u00fcner Tee f\u00fcr 5 ', 'latin1'),
    euro,
    bytesOf(' \u0096 \u0093s\u00fc\u00df\u0094\n', 'latin1'),
  ]);

  it('is found by itself: encoding, delimiter, decimal sign', () => {
    for (const [bytes, encoding] of [
      [bytesOf(text), 'utf-8'],
      [bytesOf(`\ufeff${text}`), 'utf-8'],
      [bytesOf(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
      [bytesOf(text, 'utf16le'), 'utf-16le'],
      [bytesOf(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
      [bytesOf(text, 'utf16le').swap16(), 'utf-16be'],
    ] as const) {
      const file = readImportFile(bytes, false);
      expect(file).toMatchObject({ format: 'csv', encoding, samples: [], delimiter: ',', decimalSign: '.', size: 2 });
      expect([...file.rows][0]?.cells[1]).toBe('Grüner Tee für 5 € – “süß”');
    }
    const file = readImportFile(windows, false);
    expect(file).toMatchObject({ encoding: 'windows-1252', delimiter: ';', decimalSign: ',' });
    expect(file.samples).toEqual(['Grüner', 'für', '€']);
    expect([...file.rows][0]?.cells[1]).toBe('Grüner Tee für 5 € – “süß”');
    expect(readImportFile(bytesOf('[]'), true)).toMatchObject({ format: 'json', delimiter: null, size: 0 });
  });

  it.each([
    "L'été à Paris",
    'Nescafé® Gold',
    'col·lecció',
    '«café»',
    'Tee\u00a0Kanne',
    'Kid\u00b4s Becher',
    '20°C',
    'm² ½',
    '¿qué?',
    'ÄÖ',
  ])('is windows-1252 with %s', (name) => {
    const bytes = bytesOf(`sku,name\nA,${name}\n`, 'latin1');
    expect(readImportFile(bytes, false)).toMatchObject({ encoding: 'windows-1252' });
  });

  it('has its columns in any case, after a line for Excel, and before empty columns', () => {
    const file = readImportFile(bytesOf('sep=;\nSKU;Tradeprice;reason;;\nA;5;x;;\n;;;;\nB;;;;y\n'), false);
    expect(file).toMatchObject({ delimiter: ';', columns: ['sku', 'tradePrice', 'reason', '', ''] });
    expect([...file.rows]).toMatchObject([
      { place: 'line 3', values: { sku: 'A', tradePrice: '5', reason: 'x' } },
      { place: 'line 5', faults: [{ column: null, message: '"y" stands in column 5, which has no name' }] },
    ]);
  });
});

describe('the rows of a file', () => {
  it('are the same with and without a byte order mark, and whatever ends a line', () => {
    const rows = [
      { place: 'line 2', end: 2, sku: 'A', variantOf: null, cells: ['A', 'Grün'], values: { sku: 'A', name: 'Grün' } },
      {
        place: 'line 4',
        end: 4,
        sku: 'B',
        variantOf: null,
        cells: ['B', 'x, "y"'],
        values: { sku: 'B', name: 'x, "y"' },
      },
    ];
    const text = 'sku , name\nA, Grün\n\nB,"x, ""y"""\n';
    for (const end of ['\n', '\r\n', '\r'])
      for (const mark of ['', '\ufeff']) expect(csv(mark + text.replaceAll('\n', end))).toEqual(rows);
    expect(json('\ufeff[{"sku":"A","stock":3},5]')).toMatchObject([
      { place: 'product 1', end: 1, sku: 'A', values: { sku: 'A', stock: 3 } },
      { place: 'product 2', end: 2, sku: null, faults: [{ column: null, message: 'is not an object' }] },
    ]);
    expect(csv('sku,name')).toEqual([]);
  });

  const fields = 'sku,name,description\n';
  const places = (text: string) => csv(fields + text).map((row) => [row.place, 'faults' in row ? row.sku : 'taken']);

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
    expect(rows).toMatchObject([
      {
        place: 'product 1',
        sku: 'A',
        faults: [{ column: 'images', message: 'holds half of a surrogate pair, which is no character' }],
      },
      { place: 'product 2', values: { sku: 'B', name: '😀' } },
    ]);
  });

  it('of JSON are refused where they are nested deeper than any product', () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    for (const text of [`[{"sku":${deep}}]`, `[{"sku":"A","images":${deep}}]`, `[${deep}]`])
      expect(json(text)).toMatchObject([
        { faults: [{ message: expect.stringMatching(/nested deeper|not an object/) }] },
      ]);
  });

  it('are read in a time that grows with the file alone, however its quotes stand', () => {
    const begun = performance.now();
    const faults = Array.from({ length: 4000 }, (_, index) => (index % 2 === 0 ? 'A,"B,x' : 'A,"""",x'));
    expect(csv(fields + faults.join('\n')).filter((row) => 'values' in row).length).toBe(2000);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
