import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addToList, codeAlphabet, codeCells, codeColumns, maxCodes, randomCode, repeatedCodes } from './codes.ts';

describe('random codes', () => {
  it('have every sign of the alphabet equally often, and none that is taken for another', () => {
    expect(codeAlphabet).toHaveLength(31);
    expect(codeAlphabet).not.toMatch(/[01OIL]/);
    const counts = new Map<string, number>();
    for (const sign of randomCode('', 310_000, randomInt)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
    expect([...counts.keys()].toSorted().join('')).toBe(codeAlphabet);
    // Ten times the standard deviation of 310,000 draws of one in 31.
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(1000);
  });

  it('begin with the prefix, and are made of nothing but what was drawn', () => {
    const drawn = [0, 30, 8];
    expect(randomCode('MAY-', 3, () => drawn.shift() ?? 0)).toBe('MAY-2ZA');
  });
});

describe('a list of codes', () => {
  it('takes as many as it may have, and no more', () => {
    const list = { id: 'camp_1', count: maxCodes - 5 };
    expect(addToList(list, 5, [])).toMatchObject({ kind: 'changed', state: { count: maxCodes } });
    expect(() => addToList(list, 6, [])).toThrow('this one takes 5 more');
  });

  it('names codes that come again in one request', () => {
    expect(repeatedCodes({})).toEqual([]);
    expect(repeatedCodes({ codes: ['A', 'B', 'A', 'C', 'B'] }).map(({ pointer }) => pointer)).toEqual([
      '/codes/2',
      '/codes/4',
    ]);
  });
});

it('has a cell for each column of CSV', () => {
  const at = new Date('2026-11-22T18:00:00Z');
  const code = { id: 'TEA', campaignId: 'camp_1', uses: 2, maximumUses: null, endedAt: null, createdAt: at, batch: '' };
  const time = '2026-11-22T18:00:00.000Z';
  expect([codeColumns, codeCells(code), codeCells({ ...code, maximumUses: 3, endedAt: at })]).toEqual([
    ['code', 'uses', 'maximum_uses', 'ended_at', 'created_at'],
    ['TEA', 2, null, null, time],
    ['TEA', 2, 3, time, time],
  ]);
});
