import * as fc from 'fast-check';
import { stemmer } from 'stemmer';
import { describe, expect, it } from 'vitest';
import { stemOf, wordsOfProduct, wordsOfQuery, wordsOfText } from './words.ts';

const texts = (name: string, description: string | null = null) => ({ name, skus: ['S-1'], texts: [], description });

const isFound = (query: string, name: string) => {
  const words = wordsOfQuery(query);
  const stems = new Set(wordsOfProduct(texts(name)).name.map(stemOf));
  return words.length > 0 && words.every(({ stem }) => stems.has(stem));
};

describe('the words of a product', () => {
  it('are folded, and each there once in a list', () => {
    const product = {
      name: 'Mugs & mug',
      skus: ['MUG-1', 'MUG-2'],
      texts: ['Deep blue', 'blue'],
      description: 'CAFÉ crème',
    };
    expect(wordsOfProduct(product)).toEqual({
      name: ['mugs', 'mug'],
      skus: ['mug', '1', '2'],
      texts: ['deep', 'blue'],
      description: ['cafe', 'creme'],
    });
    expect(wordsOfQuery('$where .* ()')).toEqual(wordsOfQuery('where'));
    expect(wordsOfQuery('...')).toEqual([]);
  });

  it('are all of the longest name, and the first of attributes and description', () => {
    const han = (from: number, length: number) =>
      Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + from + index)).join('');
    const name = han(0, 200);
    const description = han(1000, 5000);
    const words = wordsOfProduct({ ...texts(name, description), texts: [han(6000, 200), han(6200, 200)] });
    expect([words.name.length, words.texts.length, words.description.length]).toEqual([200 + 199, 200, 80]);
    expect(wordsOfQuery(name).every(({ text }) => words.name.includes(text))).toBe(true);
    expect(words.description).toContain(description.slice(38, 40));
  });

  it('of plain text are those of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(wordsOfText(text)).toEqual(wordsOfText(`${text} ж`).filter((word) => word !== 'ж'));
      }),
    );
  });
});

describe('a word of a query', () => {
  it.each([
    ['mug', true, false],
    ['coffee', true, true],
    ['12345', true, false],
    ['μπλε', true, false],
    ['φλιτζάνι', true, true],
    ['茶杯', false, false],
  ])('%s: finds longer words %s, and words with a wrong letter %s', (query, findsLonger, findsTypos) => {
    expect(wordsOfQuery(query)).toMatchObject([{ findsLonger, findsTypos }]);
  });
});

describe('a query', () => {
  it.each([
    ['红茶', '正山小种红茶250克'],
    ['茶', '正山小种红茶'],
    ['250', '正山小种红茶250克'],
    ['抹茶 セット', '京都の抹茶ギフトセット'],
    ['ギフト', 'ｷﾞﾌﾄセット'],
    ['กาแฟ', 'ถ้วยกาแฟสีแดง'],
    ['홍차', '얼그레이 홍차'],
    ['ışık', 'LED IŞIK'],
    ['isik', 'LED ışık'],
    ['istanbul', 'İSTANBUL fincanı'],
    ['ΚΑΦΕΣ', 'Ελληνικός καφές'],
    ['चाय', 'मसाला चाय'],
  ])('%s finds %s', (query, name) => {
    expect(isFound(query, name)).toBe(true);
  });

  it.each([
    ['绿茶', '正山小种红茶'],
    ['茶红', '正山小种红茶'],
    ['カラス', 'ガラスの花瓶'],
    ['ถวย', 'ถ้วยกาแฟสีแดง'],
    ['चय', 'मसाला चाय'],
    ['홍', '홍차'],
  ])('%s does not find %s', (query, name) => {
    expect(isFound(query, name)).toBe(false);
  });
});

const spaced = [
  ['Grüner', 'Becher', 'Straße', 'Smørrebrød', 'mugs', 'MUG', 'Crème', "barista's", '12.50'],
  ['IŞIK', 'ışık', 'İstanbul', 'fincanı', 'Çay', 'ÇAYI'],
  ['καφές', 'ΚΑΦΕΣ', 'Ελληνικός', 'φλιτζάνι', 'ΦΛΙΤΖΆΝΙ'],
  ['Чёрный', 'ЧЕРНЫЙ', 'чай', 'Чашка'],
  ['שָׁלוֹם', 'שלום', 'ספל', 'כחול'],
  ['مُحَمَّد', 'محمد', 'شاي', 'أخضر'],
  ['मसाला', 'चाय', 'चय', 'हिन्दी', 'प्याला'],
  ['한국어', '홍차', '찻잔', '홍'],
];
const unspaced = [
  ['红茶', '绿茶', '茶', '杯', '茶杯', '中国', '国红', '正山小种', '250克'],
  ['抹茶', 'ギフト', 'ｷﾞﾌﾄ', 'セット', 'の', 'お茶', 'ガラス', 'カラス', 'コーヒー'],
  ['กาแฟ', 'ถ้วย', 'สี', 'แดง', 'ชา', 'แก้ว', 'ร้อน'],
];
const nameOf = (words: readonly string[], between: string) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((chosen) => chosen.join(between));
const names = fc
  .array(fc.oneof(...spaced.map((words) => nameOf(words, ' ')), ...unspaced.map((words) => nameOf(words, ''))), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(' '));

// The expected words, worked out without the code under test.
const noSpaces = /[\u0e00-\u0e7f\u3005-\u3007\u3040-\u30ff\u4e00-\u9fff]+/gu;
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670]/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll('ς', 'σ')
    .normalize('NFC');
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const segmentsOf = (text: string) =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
const partsOf = (text: string) =>
  segmentsOf(plain(text).replaceAll(noSpaces, ' '))
    .flatMap((segment) => segment.split(/['.]/))
    .map((word) => stemmer(word));
const pairsOf = (run: string) => {
  const characters = Array.from(run);
  return characters.length < 3 ? [run] : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
};
const contains = (name: string, query: string) => {
  const runs = plain(query).match(noSpaces) ?? [];
  return (
    runs.flatMap(pairsOf).every((pair) => plain(name).includes(pair)) &&
    partsOf(query).every((part) => partsOf(name).includes(part))
  );
};

describe('each word of a name, and each two characters that stand together where there are no spaces,', () => {
  it('finds the names that contain it, and no other', () => {
    fc.assert(
      fc.property(names, fc.array(names, { minLength: 1, maxLength: 4 }), (name, others) => {
        const pairs = (plain(name).match(noSpaces) ?? []).flatMap(pairsOf);
        for (const query of [...segmentsOf(name), ...pairs]) {
          expect([query, name, isFound(query, name)]).toEqual([query, name, true]);
          for (const other of others)
            expect([query, other, isFound(query, other)]).toEqual([query, other, contains(other, query)]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
