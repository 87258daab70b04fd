import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugCandidates, slugOf } from './slug.ts';

describe('the slug of a name', () => {
  it.each([
    ['Loose leaf tea', 'loose-leaf-tea'],
    ['  Grüner Tee & Matcha! ', 'gruner-tee-matcha'],
    ['Straße / Smørrebrød', 'strasse-smorrebrod'],
    ['--', 'category'],
    ['IŞIK ışık', 'isik-isik'],
    ['茶', 'category'],
    [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
  ])('%j', (name, slug) => {
    expect(slugOf(name, 'category')).toBe(slug);
  });

  it('is always one that a request may give too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(slugOf(name, 'product')).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });

  it('goes on with numbers, and ends like the id', () => {
    const candidates = slugCandidates('Tea', 'cat_01h455vb4pex5vsknk084sn02q');
    expect(candidates.slice(0, 3)).toEqual(['tea', 'tea-2', 'tea-3']);
    expect(candidates.at(-1)).toBe('tea-sknk084sn02q');
    expect(slugCandidates('?', 'cat_01h455vb4pex5vsknk084sn02q')[0]).toBe('cat');
  });
});
