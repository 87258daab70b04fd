import { expect, it } from 'vitest';
import { countryOf, isReverseCharge } from './vat.ts';

it.each([
  ['NL123456789B01', 'NL', true],
  ['nl 1234.56789-b01', 'NL', true],
  ['EL123456789', 'GR', true],
  ['XI123456789', 'GB', true],
  ['ATU12345678', 'AT', true],
  ['DE123456789', 'DE', false],
  // Not of the EU, or no number of its form.
  ['GB123456789', 'DE', false],
  ['CHE123456789', 'DE', false],
  ['FRANCE', 'DE', false],
  ['NL', 'DE', false],
  ['123456789', 'DE', false],
  [null, 'DE', false],
])('a buyer with the VAT number %s is in %s; it owes the tax: %s', (vatNumber, country, owesTax) => {
  expect(countryOf(vatNumber, { country: 'DE' })).toBe(country);
  expect(isReverseCharge({ vatNumber }, { country: 'DE' })).toBe(owesTax);
});

it('a seller outside of the EU never leaves the tax to the buyer', () => {
  expect(isReverseCharge({ vatNumber: 'NL123456789B01' }, { country: 'CH' })).toBe(false);
  expect(isReverseCharge({ vatNumber: 'NL123456789B01' }, { country: 'GB' })).toBe(false);
});
