import { Refusal, type Position, type Slice } from '@storefront/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursors } from '../src/cursors.ts';

const cursors = createCursors('a secret of more than 32 characters ..');
const whose = { list: 'list', owner: 'owner' };
const first = { ...whose, query: { limit: 2 } };

/** The cursor that a page gives for `position`. */
async function cursorOf(position: Position): Promise<string> {
  const { nextCursor } = await cursors.page(
    first,
    async () => ({ items: [], next: position }),
    () => null,
  );
  return nextCursor ?? '';
}

describe('a cursor', () => {
  it('comes back as the position that was written', async () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.date({ noInvalidDate: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(value), async (position) => {
        const cursor = await cursorOf(position);
        expect(cursors.slice({ ...whose, query: { limit: 2, cursor } })).toEqual({ limit: 2, after: position });
      }),
    );
  });

  it.each([
    ['another list', 'other', 'owner', (text: string) => text],
    ['another owner', 'list', 'other', (text: string) => text],
    ['a changed body', 'list', 'owner', (text: string) => `x${text}`],
    ['no signature', 'list', 'owner', (text: string) => text.split('.')[0] ?? ''],
    ['something behind it', 'list', 'owner', (text: string) => `${text}.x`],
    ['another spelling of its signature', 'list', 'owner', (text: string) => `${text}=`],
    ['nothing', 'list', 'owner', () => ''],
  ])('is refused with %s', async (_what, list, owner, change) => {
    const cursor = change(await cursorOf(['2026-11-21', 'id']));
    const slice = () => cursors.slice({ list, owner, query: { limit: 2, cursor } });
    expect(slice).toThrow(Refusal);
    expect(slice).toThrow(
      expect.objectContaining({
        code: 'invalid_cursor',
        fields: [expect.objectContaining({ pointer: '/cursor', in: 'query' })],
      }),
    );
  });

  it('is refused with another filter or order, and taken with another limit', async () => {
    const query = { limit: 2, sort: 'newest', from: new Date(0), status: undefined };
    const { nextCursor } = await cursors.page(
      { ...whose, query },
      async () => ({ items: [], next: ['id'] }),
      () => null,
    );
    const slice = (other: object) => () =>
      cursors.slice({ ...whose, query: { ...query, cursor: nextCursor ?? '', ...other } });
    expect(slice({ limit: 50 })()).toEqual({ limit: 50, after: ['id'] });
    for (const other of [{ sort: 'name' }, { from: new Date(1) }, { status: 'read' }])
      expect(slice(other), JSON.stringify(other)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });
});

describe('a page', () => {
  const numbers = [1, 2, 3, 4, 5];

  const show = (number: number) => `#${number}`;

  /** A store that holds the numbers. */
  const read = async ({ limit, after }: Slice) => {
    const rest = numbers.filter((number) => number > Number(after?.[0] ?? 0));
    const items = rest.slice(0, limit);
    return { items, next: rest.length > limit ? [items.at(-1) ?? 0] : null };
  };

  it('leads to the next one, each item shown once, until nothing is left', async () => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await cursors.page({ ...whose, query: { limit: 2, cursor } }, read, show);
      pages.push(page.data);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && pages.length < numbers.length);
    expect(pages).toEqual([['#1', '#2'], ['#3', '#4'], ['#5']]);
  });

  it('has a cursor only where there is more', async () => {
    expect(await cursors.page({ ...whose, query: { limit: 4 } }, read, show)).toMatchObject({
      nextCursor: expect.any(String),
    });
    expect(await cursors.page({ ...whose, query: { limit: 5 } }, read, show)).toEqual({
      data: ['#1', '#2', '#3', '#4', '#5'],
      nextCursor: null,
    });
  });

  it('reads nothing where its cursor is refused', async () => {
    let reads = 0;
    const page = cursors.page(
      { ...whose, query: { limit: 2, cursor: 'forged.cursor' } },
      async () => ({ items: [(reads += 1)], next: null }),
      String,
    );
    await expect(page).rejects.toThrow(Refusal);
    expect(reads).toBe(0);
  });
});
