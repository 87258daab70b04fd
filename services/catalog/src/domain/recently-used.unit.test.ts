import { expect, it } from 'vitest';
import { RecentlyUsed } from './recently-used.ts';

it('keeps what was used last, as much as may weigh together', () => {
  const kept = new RecentlyUsed<string>(5, ({ length }) => length);
  kept.set('one', 'aa');
  kept.set('two', 'bb');
  kept.set('one', 'a');
  expect([kept.get('one'), kept.get('two')]).toEqual(['a', 'bb']);
  kept.set('three', 'ccc');
  expect(['one', 'two', 'three'].map((key) => kept.get(key))).toEqual([undefined, 'bb', 'ccc']);
  kept.set('too large', 'dddddd');
  expect(['two', 'three', 'too large'].map((key) => kept.get(key))).toEqual([undefined, undefined, undefined]);
  kept.set('one', 'aaaaa');
  kept.clear();
  kept.set('two', 'bbbbb');
  expect([kept.get('one'), kept.get('two')]).toEqual([undefined, 'bbbbb']);
});
