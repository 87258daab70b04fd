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

export function writePictures(pictures: readonly { readonly url: string; readonly alt: string }[]): string {
  return writeItems(pictures.map(({ url, alt }) => (alt === '' ? url : `${url} ${alt}`)));
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

function readValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return plainNumber.test(text) ? Number(text) : (quoted.exec(text)?.[1] ?? text);
}

function writeValue(value: string | number | boolean): string {
  return typeof value === 'string' && (readValue(value) !== value || value !== value.trim())
    ? `"${value}"`
    : String(value);
}
