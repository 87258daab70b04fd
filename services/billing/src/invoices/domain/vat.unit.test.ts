import { expect, it } from 'vitest';
import { taxTreatmentOf } from './vat.ts';

it.each([
  ['DE', 'DE123456789', 'DE', 'domestic'],
  ['DE', null, 'DE', 'domestic'],
  // The country decides, and not the number.
  ['DE', 'NL123456789B01', 'DE', 'domestic'],
  ['NL', 'NL123456789B01', 'DE', 'reverse-charge'],
  ['NL', 'nl 1234.56789-b01', 'DE', 'reverse-charge'],
  ['GR', 'EL123456789', 'DE', 'reverse-charge'],
  ['MC', 'FR12345678901', 'DE', 'reverse-charge'],
  ['GB', 'XI123456789', 'DE', 'reverse-charge'],
  ['NL', null, 'DE', 'eu'],
  ['NL', 'unknown', 'DE', 'eu'],
  // A number of a third member state.
  ['NL', 'FR12345678901', 'DE', 'eu'],
  ['GB', 'GB123456789', 'DE', 'export'],
  ['GB', null, 'DE', 'export'],
  ['CH', 'CHE123456789', 'DE', 'export'],
  ['US', null, 'DE', 'export'],
  ['US', 'XI123456789', 'DE', 'export'],
  // Territories of member states that are outside of the area of their taxes.
  ['RE', 'FR12345678901', 'DE', 'export'],
  ['RE', 'FR12345678901', 'FR', 'export'],
  ['MC', 'FR12345678901', 'FR', 'domestic'],
  // Sellers outside of the EU.
  ['CH', 'CHE123456789', 'CH', 'domestic'],
  ['NL', 'NL123456789B01', 'CH', 'export'],
  ['GB', 'XI123456789', 'GB', 'domestic'],
  ['IM', null, 'GB', 'domestic'],
  ['JE', null, 'GB', 'export'],
  ['NL', 'NL123456789B01', 'GB', 'export'],
])('a buyer in %s with the VAT number %s and a seller in %s: %s', (country, vatNumber, seller, treatment) => {
  expect(taxTreatmentOf({ country, vatNumber }, { country: seller })).toBe(treatment);
});
