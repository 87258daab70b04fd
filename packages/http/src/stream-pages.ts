import { Readable } from 'node:stream';

/**
 * Streams a list as text: `head`, then the lines of each page. A page is read only when the client has taken those before
 * it. The first one is read before the function returns, so that a database that is away is still answered by an error.
 */
export async function streamPages<Item>(
  head: string,
  pages: AsyncGenerator<readonly Item[], void>,
  lines: (items: readonly Item[]) => string,
): Promise<Readable> {
  const first = await pages.next();
  const text = async function* () {
    yield head + lines(first.value ?? []);
    for await (const page of pages) yield lines(page);
  };
  return Readable.from(text(), { objectMode: false });
}
