/** A part of an export: fields by name. A list may continue in the next part, under the same name. */
export type ExportPage = Readonly<Record<string, unknown>>;

/** The largest page, in bytes of JSON. A single larger entry of a list gets a page of its own. */
export const exportPageBytes = 256 * 1024;

/**
 * Splits an export into pages of up to `mostBytes`. `parts` are read only as needed, so the whole export is never in
 * memory. Always yields at least one page.
 */
export async function* toExportPages(
  parts: AsyncIterable<object>,
  mostBytes: number = exportPageBytes,
): AsyncGenerator<ExportPage, void> {
  let page: Record<string, unknown> = {};
  let bytes = 0;

  function hasNoRoomFor(value: unknown): boolean {
    const more = Buffer.byteLength(JSON.stringify(value));
    const isFull = bytes > 0 && bytes + more > mostBytes;
    bytes = isFull ? more : bytes + more;
    return isFull;
  }

  for await (const part of parts) {
    for (const [name, value] of Object.entries(asJson(part))) {
      if (!Array.isArray(value)) {
        if (hasNoRoomFor(value)) {
          yield page;
          page = {};
        }
        page[name] = value;
        continue;
      }
      page[name] ??= [];
      for (const entry of value as unknown[]) {
        if (hasNoRoomFor(entry)) {
          yield page;
          page = { [name]: [] };
        }
        (page[name] as unknown[]).push(entry);
      }
    }
  }
  yield page;
}

/** Writes pages, in their order, as one JSON object. Yields one chunk of text for each page. */
export async function* joinExportPages(pages: AsyncIterable<ExportPage>): AsyncGenerator<string, void> {
  let list: { readonly name: string; hasEntries: boolean } | null = null;
  let hasFields = false;
  yield '{';
  for await (const page of pages) {
    let text = '';
    for (const [name, value] of Object.entries(page)) {
      if (list && (list.name !== name || !Array.isArray(value))) {
        text += ']';
        list = null;
      }
      if (!list) {
        text += `${hasFields ? ',' : ''}${JSON.stringify(name)}:`;
        hasFields = true;
      }
      if (!Array.isArray(value)) {
        text += JSON.stringify(value);
        continue;
      }
      if (!list) {
        text += '[';
        list = { name, hasEntries: false };
      }
      const entries = value.map((entry) => JSON.stringify(entry)).join();
      text += list.hasEntries && entries !== '' ? `,${entries}` : entries;
      list.hasEntries ||= entries !== '';
    }
    yield text;
  }
  yield list ? ']}' : '}';
}

function asJson(part: object): ExportPage {
  return JSON.parse(JSON.stringify(part)) as ExportPage;
}
