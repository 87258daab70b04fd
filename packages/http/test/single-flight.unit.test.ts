import { expect, it } from 'vitest';
import { createSingleFlight } from '../src/single-flight.ts';

/** Reads that end when the test says so. */
function controlledReads() {
  const begun: { key: string; answer: (result: string) => void; fail: (error: Error) => void }[] = [];
  const singleFlight = createSingleFlight<string>();
  const read = (key: string) =>
    singleFlight(
      key,
      () =>
        new Promise((answer, fail) => {
          begun.push({ key, answer, fail });
        }),
    );
  return { begun, read };
}

const settled = () => new Promise(setImmediate);

it('shares one read among all callers that come while another is under way', async () => {
  const { begun, read } = controlledReads();
  const first = read('list');
  const later = [read('list'), read('list'), read('list')];
  expect(begun).toHaveLength(1);

  begun[0]?.answer('old');
  expect(await first).toBe('old');
  await settled();
  expect(begun).toHaveLength(2);
  begun[1]?.answer('new');
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new']);
});

it('keeps nothing: a caller that comes alone gets a read of its own', async () => {
  const { begun, read } = controlledReads();
  for (const answer of ['one', 'two']) {
    const result = read('list');
    begun.at(-1)?.answer(answer);
    expect(await result).toBe(answer);
    await settled();
  }
  expect(begun).toHaveLength(2);
});

it('lets no caller wait for another key', () => {
  const { begun, read } = controlledReads();
  void read('one');
  void read('other');
  expect(begun.map(({ key }) => key)).toEqual(['one', 'other']);
});

it('fails with the read before, and then begins anew', async () => {
  const { begun, read } = controlledReads();
  const both = [read('list'), read('list')];
  begun[0]?.fail(new Error('the database is away'));
  for (const result of both) await expect(result).rejects.toThrow('the database is away');

  const anew = read('list');
  begun[1]?.answer('back');
  expect(await anew).toBe('back');
});
