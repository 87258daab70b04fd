import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAttributes, readOption, readQuantities, writeAttributes, writeOption, writeQuantities } from './lists.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,9}$/);
// As the contract takes them: a line without spaces around it.
const text = fc
  .string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom('a', 'b', '"', '|', '\\', '=', '0', '1', '.', '-', '+', 'e', ' ', 'true', 'ü'),
  })
  .filter((line) => line === line.trim() && line !== '');
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
);

it('reads attributes as they are written, whatever their texts look like', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (attributes) => {
      expect(readAttributes(writeAttributes(attributes))).toEqual({ ...attributes });
    }),
  );
});

it('reads options as they are written, whatever their names and values look like', () => {
  const option = fc.record({ name: text, values: fc.array(text, { minLength: 1, maxLength: 4 }) });
  fc.assert(
    fc.property(option, (written) => {
      expect(readOption(writeOption(written))).toEqual(written);
    }),
  );
});

it('reads prices by quantity, and none of them', () => {
  const prices = [10, 100].map((from) => ({ from, price: { amount: 1000 - from, currency: 'EUR' } }));
  expect([writeQuantities(prices, '.'), writeQuantities(prices, ',')]).toEqual([
    '10=9.90|100=9.00',
    '10=9,90|100=9,00',
  ]);
  expect(readQuantities(' 10 = 9,90 | 100')).toEqual([
    { from: '10 ', amount: ' 9,90' },
    { from: '100', amount: undefined },
  ]);
  expect(readQuantities(writeQuantities([], '.'))).toEqual([]);
});
