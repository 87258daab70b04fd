export type Delimiter = ',' | ';' | '\t';
export type FileEncoding = 'utf-8' | 'utf-8 with mark' | 'utf-16le' | 'windows-1252';

const kinds = 10;

/**
 * A file of 2,000 products with faults of ten kinds and a trade price above the price, and the sentences about the faults; `warned` is the
 * place of that price.
 * All its characters are in Windows-1252.
 */
export function faultyFile(delimiter: Delimiter): {
  readonly text: string;
  readonly faults: readonly string[];
  readonly warned: string;
} {
  const comma = delimiter === ';';
  const amount = (text: string) => (comma ? text.replace('.', ',') : text);
  const columns = ['sku', 'name', 'description', 'categories', 'price', 'tradePrice', 'stock', 'status'];
  const cells = (line: number) => [
    `ROW-${line}`,
    `Grüner Becher ${line}`,
    line % 7 === 0 ? '"Hält 300 ml,\nsagt ""er""; und\tmehr"' : 'Für Tee – süß & heiß',
    'tea',
    amount('19.99'),
    amount('17.50'),
    String(line),
    'active',
  ];
  const lines = [columns.join(delimiter)];
  const faults: string[] = [];
  // A description of two lines takes two lines of the file.
  const at = () => lines.join('\n').split('\n').length + 1;
  const refuse = (line: number, column: number, cell: string, says: string) => {
    const row = cells(line).with(2, '').with(column, cell);
    faults.push(`line ${at()} (${row[0]}), ${columns[column]}: ${says}`);
    return row;
  };
  const ambiguous = amount('1299.00');
  const faulty: Readonly<Record<number, (line: number) => string[]>> = {
    101: (line) => refuse(line, 6, '12a', '"12a" is not a whole number, 0 or more (1,000,000,000 at most)'),
    201: (line) =>
      refuse(line, 4, '1.299', `"1.299" can mean 1299 as well as 1.299: write all decimals, such as ${ambiguous}`),
    301: (line) => refuse(line, 5, 'free', `"free" is not an amount in EUR, such as ${amount('19.99')}`),
    401: (line) => refuse(line, 7, 'aktiv', '"aktiv" is not draft, active or archived'),
    501: (line) => refuse(line, 0, 'ROW-2', `"ROW-2" stands in line 2 already`),
    601: (line) => refuse(line, 3, 'käse', '"käse" is neither the slug nor the id of a category'),
    701: (line) => refuse(line, 1, '', 'is required for a new product'),
    801: (line) =>
      refuse(line, 0, `ROW ${line}`, `"ROW ${line}" is not an SKU of letters, digits and . _ / - (64 at most)`),
    901: (line) => {
      const row = [...cells(line).with(2, ''), 'mehr'];
      faults.push(`line ${at()} (ROW-${line}): has 9 cells, but the file has 8 columns: "mehr" is one too many`);
      return row;
    },
    1001: (line) => {
      const row = cells(line).with(1, 'Becher 24" breit').with(2, '');
      faults.push(
        `line ${at()} (ROW-${line}), name: a quote stands in a cell that does not begin with one (a cell that holds a quote is put in quotes, and the quote is doubled)`,
      );
      return row;
    },
  };
  if (Object.keys(faulty).length !== kinds) throw new Error(`there must be ${kinds} kinds of faults`);
  let warnedAt = '';
  for (let line = 2; line <= 2001; line += 1) {
    const warned = line === 1901 ? cells(line).with(2, '').with(5, amount('25.00')) : cells(line);
    if (line === 1901) warnedAt = `line ${at()}`;
    const row = faulty[line]?.(line) ?? warned;
    lines.push(
      row.map((cell) => (cell.includes(delimiter) && !cell.startsWith('"') ? `"${cell}"` : cell)).join(delimiter),
    );
  }
  return { text: `${lines.join('\r\n')}\r\n`, faults, warned: warnedAt };
}

const beyondLatin1: Readonly<Record<string, number>> = { '–': 0x96, '€': 0x80 };

export function encoded(text: string, encoding: FileEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with mark') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(Array.from(text, (sign) => beyondLatin1[sign] ?? sign.charCodeAt(0)));
}
