import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
        for (const line of lines) expect(widthOf(line, styles.cell)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(printable(text).replaceAll(/[ \n]/g, ''));
      }),
      runs,
    );
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
    expect(printable('茶 🍵 a\u00adb\u200bc\u200ed\ufe0f \ud800!')).toBe('\ufffd \ufffd abcd \ufffd!');
  });

  it('has one kind of blank', () => {
    expect(printable('1\u00a0000\t\u2009€')).toBe('1 000  €');
  });
});
