import { describe, expect, it } from 'vitest';
import { joinExportPages, toExportPages } from './export-pages.ts';

async function* each<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

const pagesOf = (parts: readonly object[], mostBytes?: number) =>
  Array.fromAsync(toExportPages(each(parts), mostBytes));
const joined = async (pages: readonly object[]) =>
  JSON.parse((await Array.fromAsync(joinExportPages(each(pages as Record<string, unknown>[])))).join('')) as unknown;

const entries = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: from + index, at: new Date(from + index) }));
const parts = [
  { recipient: null, settings: { mail: true } },
  { letters: entries(0, 40) },
  { letters: entries(40, 1) },
  { letters: [] },
  { empty: [] },
  { notes: entries(0, 30), last: 'x'.repeat(300) },
];
const whole = JSON.parse(
  JSON.stringify({
    recipient: null,
    settings: { mail: true },
    letters: entries(0, 41),
    empty: [],
    notes: entries(0, 30),
    last: 'x'.repeat(300),
  }),
) as unknown;

describe('pages of an export', () => {
  it('are one where all of it has room', async () => {
    expect(await pagesOf(parts)).toEqual([whole]);
    expect(await pagesOf([])).toEqual([{}]);
  });

  it('stay within their size, and are the whole when they are joined', async () => {
    const pages = await pagesOf(parts, 500);
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(700);
    expect(await joined(pages)).toEqual(whole);
  });

  it.each([1, 45, 100, 1000])('are the whole when they are joined, at %i bytes a page', async (mostBytes) => {
    expect(await joined(await pagesOf(parts, mostBytes))).toEqual(whole);
  });

  it('have an entry that is too large to themselves', async () => {
    const large = ['a'.repeat(50), 'b'.repeat(5000), 'c'.repeat(50)];
    expect(await pagesOf([{ large }], 100)).toEqual(large.map((entry) => ({ large: [entry] })));
  });

  it('that hold nothing are an empty object', async () => {
    expect(await joined([{}])).toEqual({});
    expect(await joined([])).toEqual({});
  });
});
