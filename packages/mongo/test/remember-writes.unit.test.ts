import { expect, it } from 'vitest';
import { rememberWrites } from '../src/remember-writes.ts';

let now = 0;
const open = () => rememberWrites<number>(() => now);
const version = (of: number) => ({ state: of, version: of });

it('remembers a state for ten seconds', () => {
  const states = open();
  states.set('a', version(1));
  now += 9999;
  expect(states.get('a')).toEqual(version(1));
  now += 1;
  expect(states.get('a')).toBeUndefined();
});

it('remembers 500 states, those that were written last', () => {
  const states = open();
  for (let count = 0; count < 500; count += 1) states.set(`state-${count}`, version(1));
  states.set('state-0', version(2));
  states.set('another', version(1));
  const isKnown = (id: string) => states.get(id) !== undefined;
  expect(['state-0', 'state-1', 'state-2', 'another'].map(isKnown)).toEqual([true, false, true, true]);
});

it('keeps the newer of two states, and gives one away once', () => {
  const states = open();
  states.set('a', version(2));
  states.set('a', version(1));
  expect(states.take('a')).toEqual(version(2));
  expect(states.take('a')).toBeUndefined();
});
