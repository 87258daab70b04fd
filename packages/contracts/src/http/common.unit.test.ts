import { expect, test } from 'vitest';
import { z } from 'zod';
import { line, money, text } from './common.ts';

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
