import { expect, it } from 'vitest';
import { createSharedReads } from '../src/shared-reads.ts';

/** Reads that end when the test says so. */
function playedReads() {
  const begun: { key: string; answer: (result: string) => void; fail: (error: Error) => void }[] = [];
  const shared = createSharedReads<string>();
  const ask = (key: string) =>
    shared(
      key,
      () =>
        new Promise((answer, fail) => {
          begun.push({ key, answer, fail });
        }),
    );
  return { begun, ask };
}

const settled = () => new Promise(setImmediate);

it('shares one read among all who ask while another is under way', async () => {
  const { begun, ask } = playedReads();
  const first = ask('list');
  const later = [ask('list'), ask('list'), ask('list')];
  expect(begun).toHaveLength(1);

  begun[0]?.answer('old');
  expect(await first).toBe('old');
  await settled();
  expect(begun).toHaveLength(2);
  begun[1]?.answer('new');
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new']);
});

it('keeps nothing: who asks when nobody else does has a read of their own', async () => {
  const { begun, ask } = playedReads();
  for (const answer of ['one', 'two']) {
    const asked = ask('list');
    begun.at(-1)?.answer(answer);
    expect(await asked).toBe(answer);
    await settled();
  }
  expect(begun).toHaveLength(2);
});

it('lets nobody wait for another list', () => {
  const { begun, ask } = playedReads();
  void ask('one');
  void ask('other');
  expect(begun.map(({ key }) => key)).toEqual(['one', 'other']);
});

it('fails with the read before, and then begins anew', async () => {
  const { begun, ask } = playedReads();
  const both = [ask('list'), ask('list')];
  begun[0]?.fail(new Error('the database is away'));
  for (const asked of both) await expect(asked).rejects.toThrow('the database is away');

  const anew = ask('list');
  begun[1]?.answer('back');
  expect(await anew).toBe('back');
});
