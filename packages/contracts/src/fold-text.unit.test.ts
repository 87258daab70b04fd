import { expect, it } from 'vitest';
import { foldText } from './fold-text.ts';

it('takes dotted and dotless i for the same letter, in either case', () => {
  const places = ['İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul', 'I\u0307stanbul', 'i\u0307STANBUL'];
  expect(new Set(places.map(foldText))).toEqual(new Set(['istanbul']));
  expect(foldText('IŞIK')).toBe(foldText('ışık'));
});

it('takes other forms of the same letters for the same, and keeps accents', () => {
  expect(foldText('CAFE\u0301')).toBe('café');
  expect(foldText('ＴＥＡ')).toBe('tea');
  expect(foldText('żółw')).not.toBe(foldText('zolw'));
});

it('changes nothing that is folded', () => {
  const characters = Array.from({ length: 0x30000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const folded = characters.map(foldText);
  expect(folded.map(foldText)).toEqual(folded);
});
