import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAttributes, writeAttributes } from './lists.ts';

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
