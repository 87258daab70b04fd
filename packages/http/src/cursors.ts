import { createHmac, timingSafeEqual } from 'node:crypto';
import { commonErrors, type PageOf, type Position, type Slice } from '@storefront/contracts';

interface List {
  /** The name of the list. A cursor is valid only for the list and the query for which it was made. */
  readonly list: string;
  /** The owner of the list; empty if all callers share the list. */
  readonly owner: string;
  /** The whole query. The next page may have another `limit`. */
  readonly query: { readonly limit: number; readonly cursor?: string | undefined };
}

export interface Cursors {
  /**
   * Returns the part of the list that the query requests. Throws `invalid_cursor` if the cursor was changed or belongs
   * to another list.
   */
  slice(list: List): Slice;
  /**
   * Returns one page. `read` reads the slice, and `show` turns each item into the client's view of it. Throws
   * `invalid_cursor` like `slice`.
   */
  page<Item, Shown>(
    list: List,
    read: (slice: Slice) => Promise<PageOf<Item>>,
    show: (item: Item) => Shown,
  ): Promise<{ data: Shown[]; nextCursor: string | null }>;
}

/** Creates cursors that can't be forged: each has a position and an HMAC over list, owner, query and position. */
export function createCursors(secret: string): Cursors {
  function sign({ list, owner, query }: List, body: string): string {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    const signed = ['cursor.3', list, owner, JSON.stringify(filters), body].join('\0');
    return createHmac('sha256', secret).update(signed).digest().subarray(0, 16).toString('base64url');
  }

  function slice(list: List): Slice {
    const { limit, cursor } = list.query;
    if (cursor === undefined) return { limit, after: undefined };
    const [body = ''] = cursor.split('.', 1);
    const found = Buffer.from(cursor);
    const expected = Buffer.from(`${body}.${sign(list, body)}`);
    if (found.length !== expected.length || !timingSafeEqual(found, expected)) throw invalidCursor();
    return { limit, after: readPosition(Buffer.from(body, 'base64url').toString()) };
  }

  function write(list: List, position: Position): string {
    const body = Buffer.from(writePosition(position)).toString('base64url');
    return `${body}.${sign(list, body)}`;
  }

  return {
    slice,
    async page(list, read, show) {
      const { items, next } = await read(slice(list));
      return { data: items.map(show), nextCursor: next && write(list, next) };
    },
  };
}

// JSON has no dates, so a date is written as an object with its milliseconds.
function writePosition(position: Position): string {
  return JSON.stringify(position.map((value) => (value instanceof Date ? { at: value.getTime() } : value)));
}

function readPosition(text: string): Position {
  const values = JSON.parse(text) as (Exclude<Position[number], Date> | { at: number })[];
  return values.map((value) => (typeof value === 'object' && value !== null ? new Date(value.at) : value));
}

function invalidCursor() {
  const message = 'Take it unchanged from nextCursor, or leave it out.';
  return commonErrors.invalidCursor().with({
    fields: [{ pointer: '/cursor', in: 'query', code: 'invalid_cursor', message }],
  });
}
