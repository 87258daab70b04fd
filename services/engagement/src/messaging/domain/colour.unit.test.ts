import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { black, contrast, cssOf, distinctFrom, parseColour, readableOn, white } from './colour.ts';

const part = fc.integer({ min: 0, max: 255 });
const colour = fc.tuple(part, part, part);

// The figures are those of the WCAG's own examples.
it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
  ['#FFFF00', '#ffffff', 1.07],
])('the contrast of %s and %s is %d', (one, other, ratio) => {
  expect(contrast(parseColour(one), parseColour(other))).toBeCloseTo(ratio, 2);
  expect(contrast(parseColour(other), parseColour(one))).toBeCloseTo(ratio, 2);
});

it('text is white on dark colours and black on light ones', () => {
  expect(readableOn(parseColour('#2f6f4f'))).toBe(white);
  expect(readableOn(parseColour('#ffd400'))).toBe(black);
});

it('text on any colour can be read', () => {
  fc.assert(
    fc.property(colour, (background) => {
      expect(contrast(readableOn(background), background)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it('any colour can be seen on any other', () => {
  fc.assert(
    fc.property(colour, colour, fc.constantFrom(3, 4.5), (background, own, atLeast) => {
      expect(contrast(distinctFrom(background, own, atLeast), background)).toBeGreaterThanOrEqual(atLeast);
    }),
  );
});

it('a colour that can be seen stays as it is', () => {
  expect(distinctFrom(white, parseColour('#2f6f4f'), 4.5)).toEqual(parseColour('#2f6f4f'));
});

it('has no six digits in a row, which could be a code', () => {
  expect(cssOf(parseColour('#112233'))).toBe('rgb(17,34,51)');
});
