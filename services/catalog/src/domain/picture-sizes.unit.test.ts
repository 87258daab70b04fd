import { expect, it } from 'vitest';
import { isTaken, sizesOf } from './picture-sizes.ts';

it.each([
  ['a wide one', [4000, 2000], ['320x160', '800x400', '1600x800']],
  ['a tall one, whose height is limited too', [1000, 2000], ['240x480', '600x1200', '1000x2000']],
  ['one that is very tall', [100, 16_000], ['3x480', '8x1200', '15x2400']],
  ['a narrow strip', [16_000, 1], ['320x1', '800x1', '1600x1']],
  ['a small one, which is never enlarged', [500, 400], ['320x256', '500x400']],
  ['one of exactly the smallest width', [320, 10], ['320x10']],
  ['one pixel', [1, 1], ['1x1']],
] as const)('stores %s in its sizes', (_what, [width, height], sizes) => {
  expect(sizesOf({ width, height }).map((each) => `${each.width}x${each.height}`)).toEqual(sizes);
});

it('takes 50 million pixels, of an AVIF 16 million, and 16,000 on each side', () => {
  expect(isTaken('jpg', { width: 10_000, height: 5000 })).toBe(true);
  expect(isTaken('jpg', { width: 10_000, height: 5001 })).toBe(false);
  expect(isTaken('avif', { width: 4000, height: 4000 })).toBe(true);
  expect(isTaken('avif', { width: 4000, height: 4001 })).toBe(false);
  expect(isTaken('png', { width: 16_001, height: 1 })).toBe(false);
});
