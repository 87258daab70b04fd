import type { CallOptions, Input } from './send.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly nextCursor: string | null;
}

type ListCall = (input?: Input, options?: CallOptions) => Promise<unknown>;

/** The ways through a list, page by page. */
export function pagesOf(list: ListCall) {
  async function* pages(input: Input = {}, options?: CallOptions): AsyncGenerator<Page, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page = (await list(cursor ? { ...input, query: { ...input.query, cursor } } : input, options)) as Page;
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  async function* each(input?: Input, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const { data } of pages(input, options)) yield* data;
  }
  async function all(input: Input | undefined, { max, ...options }: CallOptions & { readonly max: number }) {
    const items: unknown[] = [];
    if (max <= 0) return items;
    for await (const item of each(input, options)) if (items.push(item) >= max) break;
    return items;
  }
  return { pages, each, all };
}
