import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../src/paper/pieces.ts';
import { hanOf } from '../src/paper/scripts.ts';
import { printable, styles, widthOf, wrap } from '../src/paper/text.ts';
import { runs, textOf } from './arbitrary-documents.ts';

describe('a text in a column', () => {
  it('is broken between words', () => {
    const width = widthOf('Assam from', styles.normal) + 1;
    expect(wrap('Assam from India', styles.normal, width)).toEqual(['Assam from', 'India']);
  });

  it('is broken within a word that is wider than the column', () => {
    const lines = wrap(`Tea ${'W'.repeat(30)}`, styles.normal, 100);
    expect(lines[0]).toBe('Tea');
    expect(lines.slice(1).join('')).toBe('W'.repeat(30));
  });

  it('keeps an accent with its letter', () => {
    const lines = wrap('x\u0331'.repeat(50), styles.normal, 50);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^(?:x\u0331)+$/);
  });

  it('is broken between East Asian characters, but not before a sign that closes or after one that opens', () => {
    const width = widthOf('深圳市创', styles.normal);
    expect(wrap('深圳市创新（科技）有限', styles.normal, width)).toEqual(['深圳市创', '新（科', '技）有限']);
  });

  it('is broken between words of Thai, which have no spaces', () => {
    const width = widthOf('บริษัทสยาม', styles.normal) + 1;
    expect(wrap('บริษัทสยามการค้า', styles.normal, width)).toEqual(['บริษัทสยาม', 'การค้า']);
  });

  it('keeps together what Devanagari writes as one', () => {
    for (const line of wrap('प्रिंटिंग'.repeat(20), styles.normal, 40)) expect(line).toMatch(/^(?:प्रिं|टिं|ग)+$/);
  });

  it('says in each of its lines that it is read from right to left, as its first letter is', () => {
    const width = widthOf('شركة الخليج', styles.normal) + 1;
    const lines = wrap('شركة الخليج (Gulf) للتجارة', styles.normal, width);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^\u200f/);
    expect(wrap('Gulf شركة', styles.normal, 300)).toEqual(['\u200eGulf شركة']);
  });

  it('keeps its own lines, without those that are empty', () => {
    expect(wrap('12 St James Square\n\nLondon\r\nEngland', styles.normal, 300)).toEqual([
      '12 St James Square',
      'London',
      'England',
    ]);
  });

  it('is nowhere wider than the column, and nothing of it is lost', () => {
    fc.assert(
      fc.property(textOf(500), fc.integer({ min: 20, max: 300 }), (text, width) => {
        const lines = wrap(text, styles.cell, width);
        // The widths of a line's parts are added in another order than in `wrap`, so that they are rounded in another way.
        const isTooWide = (line: string) => widthOf(line, styles.cell) >= width + 1e-6;
        // Only ﷽, the widest character, takes more than such a column, and can not be broken: it stands alone.
        for (const line of lines.filter(isTooWide)) expect(line).toMatch(/^[\u200e\u200f]?\ufdfd\p{M}*$/u);
        expect(lines.join('').replaceAll(/[ \u200e\u200f]/g, '')).toBe(printable(text).replaceAll(/[ \n]/g, ''));
      }),
      runs,
    );
  });
});

describe('a line from right to left', () => {
  const drawn = (line: string) => piecesOf(line, 'sc').map(({ text }) => text);

  it('begins at the right, with numbers and Latin words as they are read', () => {
    expect(drawn('رقم 123 Gulf')).toEqual(['Gulf', ' ', '123', ' ', 'رقم']);
    expect(drawn('תעשיות Alpha Ltd')).toEqual(['Alpha Ltd', ' ', 'תעשיות']);
  });

  it('has its brackets turned around', () => {
    expect(drawn('שלום (עולם)').join('')).toBe('(עולם) שלום');
  });

  it('stands within one from left to right', () => {
    expect(drawn('Alpha תעשיות אלפא Ltd')).toEqual(['Alpha ', 'אלפא', ' ', 'תעשיות', ' Ltd']);
  });
});

describe('the forms of Chinese characters', () => {
  it.each([
    ['丸の内', 'DE', 'jp'],
    ['한국 貿易', 'DE', 'kr'],
    ['貿易', 'JP', 'jp'],
    ['貿易', 'TW', 'tc'],
    ['貿易', 'HK', 'tc'],
    ['貿易', 'KR', 'kr'],
    ['貿易', 'CN', 'sc'],
    ['貿易', 'DE', 'sc'],
  ])('%s from %s: %s', (text, country, han) => {
    expect(hanOf(text, country)).toBe(han);
    expect(piecesOf('貿易', hanOf(text, country))).toEqual([{ text: '貿易', face: han }]);
  });

  it('are those of another country where the font has none', () => {
    expect(piecesOf('한', 'jp')).toEqual([{ text: '한', face: 'kr' }]);
  });
});

describe('what can be printed', () => {
  it.each([
    'Zażółć gęślą jaźń ZAŻÓŁĆ GĘŚLĄ JAŹŃ',
    'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία ΆΈΉΊΌΎΏ',
    'Съешь ещё этих мягких булок, Їжак ґанок є Љубав Ѓорѓи',
    'Příliš žluťoučký kůň, Árvíztűrő tükörfúrógép, Șțiință, Þórður, Größe, œuvre, Ñandú, İstanbul ğş',
    '€ £ ₴ ₽ „“ ‚‘ « » – — … ½ × ÷ ± ° ² ³ µ № ™ ®',
  ])('%s', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('has a sign in place of what the font does not have, and nothing in place of what is not seen', () => {
    expect(printable('ა 🍵 a\u00adb\u200bc\u200ed\ufe0f \ud800!')).toBe('\ufffd \ufffd abcd \ufffd!');
  });

  it('has one kind of blank', () => {
    expect(printable('1\u00a0000\t\u2009€')).toBe('1 000  €');
  });
});
