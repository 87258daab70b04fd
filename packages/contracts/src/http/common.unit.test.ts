import { expect, test } from 'vitest';
import { z } from 'zod';
import { digits, line, money, receivedLine, text } from './common.ts';

test('money is a schema of its own, also with another description', () => {
  const { properties, $defs } = z.toJSONSchema(z.object({ price: money.meta({ description: 'The price.' }) }));
  expect(properties?.price).toEqual({ $ref: '#/$defs/Money', description: 'The price.' });
  expect($defs?.Money).toMatchObject({ required: ['amount', 'currency'] });
});

test.each([
  ['a line', line, '  Zoe\u0308  ', 'Zo\u00eb'],
  ['a text', text, ' a\r\nb\tc ', 'a\nb\tc'],
])('%s is trimmed and composed, and described with its limits', (_what, schemaOf, given, expected) => {
  const schema = schemaOf(7);
  expect(schema.parse(given)).toBe(expected);
  expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'string', minLength: 1, maxLength: 7 });
});

test.each([
  ['too long after trimming', line(3), ' abcd '],
  ['empty after trimming', line(3), '  '],
  ['a line end in a line', line(9), 'a\nb'],
  ['a control character in a text', text(9), 'a\u0007b'],
  ['half of a surrogate pair', text(9), 'a\ud800b'],
])('%s is refused', (_what, schema, given) => {
  expect(schema.safeParse(given).success).toBe(false);
});

test.each([
  'Zoë Ångström-O’Neill',
  'Jean-Luc d’Arc, 3ème',
  'नरेन्‍द्र', // Hindi, with a joiner after a virama
  'علی‌رضا', // Persian, with a non-joiner between two letters
  'می‌خواهم',
  'രാജന്‍', // Malayalam, with a joiner at the end of the word
  'ශ්‍රී ලංකා', // Sinhala
  'ক্‍ষ',
  '葛󠄀城', // Japanese, with the variant of a letter
  'ᠮᠣᠩᠭᠣᠯ',
  '👩🏽‍💻 and ❤️‍🔥',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England',
  'ﬁ № ½ €',
  'السلام عليكم',
])('a name may be written as %s', (name) => {
  expect(line(100).safeParse(name)).toMatchObject({ success: true, data: name.normalize('NFC') });
  expect(text(100).safeParse(name).success).toBe(true);
  expect(receivedLine(100).parse(name)).toBe(name.normalize('NFC'));
});

const hidden =
  '00ad 034f 061c 115f 1160 17b4 180e 200b 200e 200f 2028 2029 202a 202e 2060 2064 2066 2069 206a 2800 3164 feff ffa0 fffb fffe e0001 e0041 e007f'
    .split(' ')
    // Joiners between Latin letters, and what selects a variant of nothing.
    .concat(['200c', '200d', 'fe0f fe0f', 'e0100 e0101']);

test.each(hidden)('a name may not hold U+%s, and one that is received is taken without it', (codes) => {
  const sign = String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
  const written = `Ad${sign}a`;
  expect(line(100).safeParse(written).success).toBe(false);
  expect(line(100).safeParse(`a ${sign}${sign} b`).success).toBe(false);
  expect(
    receivedLine(100)
      .parse(written)
      .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u, ''),
  ).toBe('Ada');
});

test('prose may hold marks of direction and soft hyphens, and nothing that turns it around', () => {
  for (const mark of ['\u200e', '\u200f', '\u00ad', '\u200b', '\u200c'])
    expect(text(100).safeParse(`one${mark}two`).success).toBe(true);
  for (const turning of ['\u202e', '\u2066', '\u2028', '\u3164', '\u{e0041}', '\ufeffx'])
    expect(text(100).safeParse(`one ${turning} two`).success).toBe(false);
});

test('an integer in a query is digits alone', () => {
  const limit = digits(1, 100).default(20);
  expect(['1', '07', '100', undefined].map((sent) => limit.parse(sent))).toEqual([1, 7, 100, 20]);
  for (const sent of ['', ' 5', '5 ', '+5', '-5', '5.0', '1e1', '0x10', '0', '101', '\u0665', ['5'], true])
    expect(limit.safeParse(sent).success, JSON.stringify(sent)).toBe(false);
});
