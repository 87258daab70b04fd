import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from './problem.ts';

/** Where a list goes on: the sort values of the last item shown, such as `[createdAt, id]`. */
export type Position = readonly (string | number)[];

export interface Cursors {
  /** Opaque text for a client; `list` and `owner` bind it to where it came from. */
  write(list: string, owner: string, position: Position): string;
  /** The position, or a 400 problem where the text was changed or belongs elsewhere. */
  read(list: string, owner: string, cursor: string | undefined): Position | undefined;
}

/** Cursors that can't be forged: position and an HMAC over list, owner and position. */
export function createCursors(secret: string): Cursors {
  const sign = (list: string, owner: string, body: string) =>
    createHmac('sha256', secret).update(`cursor\0${list}\0${owner}\0${body}`).digest().subarray(0, 16);
  return {
    write(list, owner, position) {
      const body = Buffer.from(JSON.stringify(position)).toString('base64url');
      return `${body}.${sign(list, owner, body).toString('base64url')}`;
    },
    read(list, owner, cursor) {
      if (cursor === undefined) return undefined;
      const [body = '', mac = ''] = cursor.split('.', 2);
      const given = Buffer.from(mac, 'base64url');
      const expected = sign(list, owner, body);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new Problem(400, 'invalid_cursor', 'The cursor is not one that this list gave you.', {
          errors: [
            {
              pointer: '/cursor',
              in: 'query',
              code: 'invalid_cursor',
              message: 'Take it unchanged from nextCursor, or leave it out.',
            },
          ],
        });
      }
      return JSON.parse(Buffer.from(body, 'base64url').toString()) as Position;
    },
  };
}

/**
 * Makes a page out of up to `limit + 1` items that were read: one more than shown tells that there is a next page.
 */
export function toPage<Item, Shown>(
  items: readonly Item[],
  limit: number,
  show: (item: Item) => Shown,
  next: (last: Item) => string,
): { data: Shown[]; nextCursor: string | null } {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return { data: shown.map(show), nextCursor: items.length > limit && last !== undefined ? next(last) : null };
}
