import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { createWaitingChecks } from './revocation-checks.ts';

const none = new Map();

it('answers a check once what its first read found is published, whatever was revoked later', () => {
  const waiting = createWaitingChecks();
  waiting.add('one', 1);
  expect(waiting.beginRead()(new Set(['a']))).toEqual(none);
  waiting.add('one', 2);
  expect(waiting.beginRead()(new Set(['a', 'b']))).toEqual(none);
  expect(waiting.beginRead()(new Set(['b', 'c']))).toEqual(new Map([['one', 1]]));
  expect(waiting.isEmpty()).toBe(false);
  expect(waiting.beginRead()(new Set(['c', 'd']))).toEqual(new Map([['one', 2]]));
  expect(waiting.isEmpty()).toBe(true);
});

it('leaves a check that comes during a read to the next one, also one that a failed read was for', () => {
  const waiting = createWaitingChecks();
  waiting.add('one', 1);
  // This one fails.
  waiting.beginRead();
  const afterRead = waiting.beginRead();
  waiting.add('one', 2);
  expect(afterRead(new Set())).toEqual(new Map([['one', 1]]));
  expect(waiting.beginRead()(new Set())).toEqual(new Map([['one', 2]]));
});

it('remembers twenty reads while a revocation is stuck, and answers none of their checks too early', () => {
  const waiting = createWaitingChecks();
  const found = new Set(['stuck']);
  for (let check = 1; check <= 30; check += 1) {
    waiting.add('one', check);
    expect(waiting.beginRead()(found.add(`r${check}`))).toEqual(none);
  }
  expect(waiting.beginRead()(new Set(['r30']))).toEqual(new Map([['one', 19]]));
  expect(waiting.beginRead()(new Set())).toEqual(new Map([['one', 30]]));
});

// A model with the whole truth: what waits, and what waited when each check came.
it('never answers a check before what waited when it came, and all of them once nothing waits', () => {
  const step = tuple(constantFrom('revoke', 'publish', 'check', 'begin', 'end'), nat(1000));
  assert(
    property(array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const waiting = createWaitingChecks();
      const unpublished = new Set<string>();
      const before = new Map<string, ReadonlySet<string>>();
      const newest = new Map<string, number>();
      let read: { end: ReturnType<typeof waiting.beginRead>; found: ReadonlySet<string> } | undefined;
      const end = () => {
        const answered = read?.end(read.found);
        read = undefined;
        for (const [gateway, check] of answered ?? []) {
          const left = [...(before.get(`${gateway}/${check}`) ?? [])].filter((id) => unpublished.has(id));
          expect(left).toEqual([]);
          if (newest.get(gateway) === check) newest.delete(gateway);
        }
      };
      for (const [count, [kind, which]] of steps.entries()) {
        const gateway = `g${which % 3}`;
        if (kind === 'revoke') unpublished.add(`r${count}`);
        if (kind === 'publish') unpublished.delete([...unpublished][which % unpublished.size] ?? '');
        if (kind === 'check') {
          waiting.add(gateway, count);
          before.set(`${gateway}/${count}`, new Set(unpublished));
          newest.set(gateway, count);
        }
        if (kind === 'begin' && !read) read = { end: waiting.beginRead(), found: new Set(unpublished) };
        if (kind === 'end') end();
      }
      end();
      unpublished.clear();
      read = { end: waiting.beginRead(), found: new Set() };
      end();
      expect([...newest]).toEqual([]);
      expect(waiting.isEmpty()).toBe(true);
    }),
    { numRuns: 300 },
  );
});
