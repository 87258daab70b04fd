import { describe, expect, it } from 'vitest';
import { activeKey, newKeyRing, publishedKeys, rotate } from './key-ring.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1000);
const key = (kid: string, seconds = 0) => ({ kid, sealed: `sealed ${kid}`, createdAt: at(seconds) });
const rules = (seconds: number) => ({ now: at(seconds), accessSeconds: 900 });
const kids = (ring: { keys: readonly { kid: string }[] }) => ring.keys.map(({ kid }) => kid);
const ring = newKeyRing(key('a'), key('b'));

describe('the key ring', () => {
  it('begins with a key that signs and one that is announced', () => {
    expect(activeKey(ring, at(0)).kid).toBe('a');
    expect(publishedKeys(ring, rules(0)).map(({ kid }) => kid)).toEqual(['a', 'b']);
  });

  it('signs also by a clock that is behind the one that it was made by', () => {
    expect(activeKey(ring, at(-20)).kid).toBe('a');
    expect(activeKey(rotate(ring, key('c', 3600), rules(3600)), at(-20)).kid).toBe('a');
  });

  it('lets the next key sign at once where it was announced for long enough', () => {
    const rotated = rotate(ring, key('c', 3600), rules(3600));
    expect(activeKey(rotated, at(3600)).kid).toBe('b');
    expect(kids(rotated)).toEqual(['a', 'b', 'c']);
  });

  it('otherwise waits until every verifier can know it', () => {
    const rotated = rotate(ring, key('c', 10), rules(10));
    expect(activeKey(rotated, at(59)).kid).toBe('a');
    expect(activeKey(rotated, at(60)).kid).toBe('b');
  });

  it('leaves a rotation alone that is not in force yet', () => {
    const rotated = rotate(ring, key('c', 10), rules(10));
    expect(rotate(rotated, key('d', 20), rules(20))).toBe(rotated);
  });

  it('publishes a retired key for as long as its tokens live', () => {
    const rotated = rotate(ring, key('c', 3600), rules(3600));
    expect(publishedKeys(rotated, rules(3600 + 959)).map(({ kid }) => kid)).toEqual(['a', 'b', 'c']);
    expect(publishedKeys(rotated, rules(3600 + 960)).map(({ kid }) => kid)).toEqual(['b', 'c']);
  });

  it('drops what is retired for long at the rotation after', () => {
    const once = rotate(ring, key('c', 3600), rules(3600));
    expect(kids(rotate(once, key('d', 7200), rules(7200)))).toEqual(['b', 'c', 'd']);
  });
});
