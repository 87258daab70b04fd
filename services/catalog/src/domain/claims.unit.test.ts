import { describe, expect, it } from 'vitest';
import { createClaims } from './claims.ts';

describe('unique values', () => {
  it('go to the first candidate that is free, and to one owner each', () => {
    const claims = createClaims([{ value: 'tea', owner: 'cat_1' }]);
    expect(claims.take(['tea', 'tea-2'], 'cat_2')).toBe('tea-2');
    expect(claims.take(['tea', 'tea-2', 'tea-3'], 'cat_3')).toBe('tea-3');
    expect(claims.take(['tea', 'tea-2'], 'cat_4')).toBeUndefined();
    expect(claims.taken).toEqual([
      { value: 'tea-2', owner: 'cat_2' },
      { value: 'tea-3', owner: 'cat_3' },
    ]);
  });

  it('may be claimed again by their owner, without being stored again', () => {
    const claims = createClaims([{ value: 'tea', owner: 'cat_1' }]);
    expect(claims.take(['tea'], 'cat_1')).toBe('tea');
    expect([claims.isFree('tea', 'cat_1'), claims.isFree('tea', 'cat_2'), claims.ownerOf('tea')]).toEqual([
      true,
      false,
      'cat_1',
    ]);
    expect(claims.taken).toEqual([]);
  });

  it('are released by their owner alone, and are then free for others', () => {
    const claims = createClaims([{ value: 'tea', owner: 'cat_1' }]);
    claims.release('tea', 'cat_2');
    expect([claims.ownerOf('tea'), claims.released]).toEqual(['cat_1', []]);
    claims.release('tea', 'cat_1');
    expect(claims.released).toEqual([{ value: 'tea', owner: 'cat_1' }]);
    expect(claims.take(['tea'], 'cat_2')).toBe('tea');
  });

  it('that were taken and released before they were stored leave nothing', () => {
    const claims = createClaims([]);
    claims.take(['tea'], 'cat_1');
    claims.release('tea', 'cat_1');
    expect([claims.taken, claims.released]).toEqual([[], []]);
  });
});
