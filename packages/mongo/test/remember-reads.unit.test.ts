import { expect, it, vi } from 'vitest';
import { rememberReads } from '../src/remember-reads.ts';

/** Documents that the test changes, a clock that it sets, and the ids that were read. */
function startReads(atMost = 100) {
  const stored = new Map([
    ['a', { name: 'Ada' }],
    ['b', { name: 'Bob' }],
  ]);
  const clock = { ms: 0 };
  const reads: string[] = [];
  const find = rememberReads(
    async (id) => {
      reads.push(id);
      return stored.get(id) ?? null;
    },
    { forMs: 1000, atMost, monotonicNow: () => clock.ms },
  );
  /** The ids that were read since the last call. */
  const readSince = () => reads.splice(0);
  const names = async (...ids: string[]) =>
    Object.fromEntries([...(await find(ids))].map(([id, { name }]) => [id, name]));
  return { stored, clock, names, readSince, forget: find.forget };
}

it('reads each document once within the time, and sees changes after it', async () => {
  const { stored, clock, names, readSince } = startReads();
  expect(await names('a', 'b', 'a')).toEqual({ a: 'Ada', b: 'Bob' });
  expect(readSince()).toEqual(['a', 'b']);
  stored.set('a', { name: 'Augusta' });
  clock.ms = 749;
  expect(await names('b', 'a')).toEqual({ a: 'Ada', b: 'Bob' });
  expect(readSince()).toEqual([]);
  clock.ms = 1000;
  expect(await names('a')).toEqual({ a: 'Augusta' });
  expect(readSince()).toEqual(['a']);
});

it('reads again what is forgotten, also where a read began before', async () => {
  const { stored, names, readSince, forget } = startReads();
  await names('a');
  stored.set('a', { name: 'Augusta' });
  forget('a');
  expect(await names('a')).toEqual({ a: 'Augusta' });
  const before = names('b');
  forget('b');
  stored.set('b', { name: 'Bert' });
  await before;
  expect(await names('b')).toEqual({ b: 'Bert' });
  expect(readSince()).toEqual(['a', 'a', 'b', 'b']);
});

it('reads again towards the end of the time, while nobody waits', async () => {
  const { clock, answers, find } = startSlowReads();
  const first = find(['a']);
  answers[0]?.({ version: 1 });
  await first;
  clock.ms = 750;
  expect((await find(['a'])).get('a')).toEqual({ version: 1 });
  clock.ms = 999;
  expect((await find(['a'])).get('a')).toEqual({ version: 1 });
  expect(answers).toHaveLength(2);
  answers[1]?.({ version: 2 });
  await vi.waitFor(async () => expect((await find(['a'])).get('a')).toEqual({ version: 2 }));
  // Counted from 750 on.
  clock.ms = 1499;
  expect((await find(['a'])).get('a')).toEqual({ version: 2 });
  expect(answers).toHaveLength(2);
});

it('goes on with what it remembers where that could not be read again, until the time is over', async () => {
  const clock = { ms: 0 };
  let reads = 0;
  const find = rememberReads(
    async () => {
      reads += 1;
      if (reads > 1) throw new Error('the database is away');
      return { version: 1 };
    },
    { forMs: 1000, atMost: 10, monotonicNow: () => clock.ms },
  );
  await find(['a']);
  clock.ms = 999;
  expect((await find(['a'])).get('a')).toEqual({ version: 1 });
  expect(reads).toBe(2);
  clock.ms = 1000;
  await expect(find(['a'])).rejects.toThrow('the database is away');
});

it('does not remember what was not found', async () => {
  const { stored, names, readSince } = startReads();
  expect(await names('c', 'a')).toEqual({ a: 'Ada' });
  stored.set('c', { name: 'Cy' });
  expect(await names('c', 'a')).toEqual({ a: 'Ada', c: 'Cy' });
  expect(readSince()).toEqual(['c', 'a', 'c']);
});

/** Reads that the test answers, and a clock that it sets. */
function startSlowReads() {
  const clock = { ms: 0 };
  const answers: ((document: object | null) => void)[] = [];
  const find = rememberReads(() => new Promise<object | null>((resolve) => answers.push(resolve)), {
    forMs: 1000,
    atMost: 10,
    monotonicNow: () => clock.ms,
  });
  return { clock, answers, find };
}

it('shares a read that is under way', async () => {
  const { clock, answers, find } = startSlowReads();
  const first = find(['a']);
  clock.ms = 999;
  const second = find(['a']);
  expect(answers).toHaveLength(1);
  answers[0]?.({ version: 1 });
  expect((await first).get('a')).toEqual({ version: 1 });
  expect((await second).get('a')).toEqual({ version: 1 });
});

it('reads once more where a shared read found nothing: the document may have come since it began', async () => {
  const { answers, find } = startSlowReads();
  const early = find(['a']);
  const late = find(['a']);
  answers[0]?.(null);
  expect((await early).size).toBe(0);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.({ version: 1 });
  expect((await late).get('a')).toEqual({ version: 1 });
});

it('counts the time from the beginning of a read, whichever of two ends first', async () => {
  const { clock, answers, find } = startSlowReads();
  const early = find(['a']);
  clock.ms = 1000;
  const late = find(['a']);
  answers[1]?.({ version: 2 });
  expect((await late).get('a')).toEqual({ version: 2 });
  answers[0]?.({ version: 1 });
  expect((await early).get('a')).toEqual({ version: 1 });
  clock.ms = 1999;
  expect((await find(['a'])).get('a')).toEqual({ version: 2 });
  clock.ms = 2000;
  const third = find(['a']);
  expect(answers).toHaveLength(3);
  answers[2]?.({ version: 3 });
  expect((await third).get('a')).toEqual({ version: 3 });
});

it('forgets what was read longest ago where there is no room', async () => {
  const { stored, clock, names, readSince } = startReads(2);
  stored.set('c', { name: 'Cy' });
  await names('a');
  clock.ms = 500;
  await names('b');
  clock.ms = 1000;
  await names('a');
  await names('c');
  readSince();
  await names('a', 'c');
  expect(readSince()).toEqual([]);
  await names('b');
  expect(readSince()).toEqual(['b']);
});

it('remembers nothing of a read that failed', async () => {
  let isAway = true;
  const find = rememberReads(
    async () => {
      if (isAway) throw new Error('the database is away');
      return { version: 1 };
    },
    { forMs: 1000, atMost: 10 },
  );
  await expect(find(['a'])).rejects.toThrow('the database is away');
  isAway = false;
  expect((await find(['a'])).size).toBe(1);
});
