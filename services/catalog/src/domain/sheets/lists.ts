import { toDecimal, type Money } from '@storefront/money';

/** Items of a cell are separated by `|`. Within an item `\|` is a `|`, and `\\` a `\`. */
export function readItems(cell: string): string[] {
  const items = cell.match(/(?:\\[\\|]|[^|])+/g) ?? [];
  return items.map((item) => item.replaceAll(/\\([\\|])/g, '$1').trim()).filter((item) => item !== '');
}

export function writeItems(items: readonly string[]): string {
  return items.map((item) => item.replaceAll(/[\\|]/g, String.raw`\$&`)).join('|');
}

/** Pictures of a cell: the address, and after a space the text for those who do not see it. */
export function readPictures(cell: string): { url: string; alt: string | undefined }[] {
  return readItems(cell).map((item) => {
    const [, url = item, alt] = /^(\S+)\s+(.*)$/s.exec(item) ?? [];
    return { url, alt };
  });
}

export function writePictures(
  pictures: readonly { readonly url: string; readonly alt?: string | undefined }[],
): string {
  return writeItems(pictures.map(({ url, alt }) => (alt ? `${url} ${alt}` : url)));
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

// A number as `String` writes it; what else looks like a number stays a text.
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]\d+)?$/;
const quoted = /^"(.*)"$/s;

/** Attributes of a cell, each as `name=value`. An item without `=` has the value `undefined`, which no attribute may have. */
export function readAttributes(cell: string): Record<string, string | number | boolean | undefined> {
  return Object.fromEntries(
    readItems(cell).map((item) => {
      const at = item.indexOf('=');
      return at === -1 ? [item, undefined] : [item.slice(0, at).trim(), readValue(item.slice(at + 1).trim())];
    }),
  );
}

export function writeAttributes(attributes: Attributes): string {
  return writeItems(Object.entries(attributes).map(([name, value]) => `${name}=${writeValue(value)}`));
}

const noPrices = 'none';

/** Prices by quantity of a cell, each as `from=amount`; none for `none`. An item without `=` has no amount. */
export function readQuantities(cell: string): { from: string; amount: string | undefined }[] {
  if (cell.trim() === noPrices) return [];
  return readItems(cell).map((item) => {
    const at = item.indexOf('=');
    return at === -1 ? { from: item, amount: undefined } : { from: item.slice(0, at), amount: item.slice(at + 1) };
  });
}

/** The amounts are in major units, with this sign before the decimals. */
export function writeQuantities(
  prices: readonly { readonly from: number; readonly price: Money }[],
  decimalSign: '.' | ',',
): string {
  if (prices.length === 0) return noPrices;
  return writeItems(prices.map(({ from, price }) => `${from}=${toDecimal(price).replace('.', decimalSign)}`));
}

const nameAndValues = /^((?:\\.|[^\\=])*)=(.*)$/s;

/** An option of a cell: its name, and after `=` its values. In the name `\=` is a `=`. Without `=` it has no values. */
export function readOption(cell: string): { name: string; values?: string[] } {
  const [, name = cell, values] = nameAndValues.exec(cell) ?? [];
  return {
    name: name.replaceAll(/\\([\\|=])/g, '$1').trim(),
    ...(values !== undefined && { values: readItems(values) }),
  };
}

export function writeOption({
  name,
  values,
}: {
  readonly name: string;
  readonly values?: readonly string[] | undefined;
}): string {
  const written = name.replaceAll(/[\\|=]/g, String.raw`\$&`);
  return values ? `${written}=${writeItems(values)}` : written;
}

function readValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return plainNumber.test(text) ? Number(text) : (quoted.exec(text)?.[1] ?? text);
}

function writeValue(value: string | number | boolean): string {
  return typeof value === 'string' && (readValue(value) !== value || value !== value.trim())
    ? `"${value}"`
    : String(value);
}
