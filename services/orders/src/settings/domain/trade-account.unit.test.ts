import { expect, it } from 'vitest';
import { afterEvent } from './trade-account.ts';

it('keeps the VAT number of the newest event, in whatever order they come', () => {
  const known = { id: 'user', sequence: 5, vatNumber: 'DE123456789' };
  expect(afterEvent(null, known)).toEqual(known);
  expect(afterEvent(known, { ...known, sequence: 6, vatNumber: null })).toMatchObject({ vatNumber: null });
  expect(afterEvent(known, { ...known, sequence: 4, vatNumber: null })).toBeNull();
  expect(afterEvent(known, known)).toBeNull();
  // A snapshot has the version of the last change, and puts the copy right.
  expect(afterEvent(known, { ...known, vatNumber: null })).toMatchObject({ vatNumber: null });
});
