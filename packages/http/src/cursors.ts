import { createHmac, timingSafeEqual } from 'node:crypto';
import { commonErrors, type PageOf, type Position, type Slice } from '@storefront/contracts';

interface List {
  /** The name of the list: a cursor is valid only for the list and the query that it was made with. */
  readonly list: string;
  /** The owner of the list; empty where all callers share it. */
  readonly owner: string;
  /** All of it. Pages of another `limit` may follow. */
  readonly query: { readonly limit: number; readonly cursor?: string | undefined };
}

export interface Cursors {
  /**
   * The part of the list that the query names. Throws `invalid_cursor` if its cursor was changed or is of another
   * list.
   */
  slice(list: List): Slice;
  /** One page: `read` reads the slice, `show` makes of each item what the client sees. Throws as `slice` does. */
  page<Item, Shown>(
    list: List,
    read: (slice: Slice) => Promise<PageOf<Item>>,
    show: (item: Item) => Shown,
  ): Promise<{ data: Shown[]; nextCursor: string | null }>;
}

/** Cursors that can't be forged: a position, and an HMAC over list, owner and position. */
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

// JSON has no dates: one stands as an object with its milliseconds.
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
