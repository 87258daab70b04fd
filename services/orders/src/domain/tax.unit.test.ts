import { describe, expect, it } from 'vitest';
import { taxRateFor, taxTreatmentOf, toBasisPoints, toPercent, type TaxRates } from './tax.ts';

describe('the tax treatment of a delivery', () => {
  it.each([
    ['at home', 'DE', null, 'DE', 'domestic'],
    ['at home, with a VAT number of another country', 'DE', 'NL123456789B01', 'DE', 'domestic'],
    ['to Monaco, which belongs to France', 'MC', null, 'FR', 'domestic'],
    ['to a consumer in the EU', 'NL', null, 'DE', 'eu'],
    ['to a buyer with a VAT number of that country', 'NL', 'NL123456789B01', 'DE', 'reverse-charge'],
    ['to a buyer with a VAT number of a third country of the EU', 'NL', 'ATU12345678', 'DE', 'reverse-charge'],
    ["to a buyer with a VAT number of the shop's country", 'NL', 'DE123456789', 'DE', 'eu'],
    ['to a buyer with a VAT number from outside', 'NL', 'CHE123456789', 'DE', 'eu'],
    ['to a buyer with what is no VAT number', 'NL', 'none', 'DE', 'eu'],
    ['out of the EU', 'CH', null, 'DE', 'export'],
    ['to an overseas territory', 'RE', null, 'FR', 'export'],
    ['to the United Kingdom', 'GB', 'GB123456789', 'DE', 'export'],
    ['to Northern Ireland', 'GB', 'XI123456789', 'DE', 'reverse-charge'],
    ['from outside into the EU', 'DE', 'DE123456789', 'CH', 'export'],
    ['at home outside the EU', 'CH', null, 'CH', 'domestic'],
  ] as const)('%s', (_what, country, vatNumber, seller, treatment) => {
    expect(taxTreatmentOf({ country, vatNumber }, seller)).toBe(treatment);
  });
});

describe('the tax rate of a delivery', () => {
  const home = { country: 'DE', standard: 1900, reduced: 700, zero: 0 };
  const france = { country: 'FR', standard: 2000, reduced: 550, zero: 0 };
  const denmark = { country: 'DK', standard: 2500, reduced: null, zero: 0 };
  const rates: TaxRates = {
    home,
    countries: new Map([home, france, denmark].map((each) => [each.country, each])),
  };

  it.each([
    ['that of the country and class', 'FR', 'eu', 'reduced', 550],
    ['that of the shop', 'DE', 'domestic', 'standard', 1900],
    ['the standard one where there is no reduced one', 'DK', 'eu', 'reduced', 2500],
    ['that of the country whose VAT area it belongs to', 'MC', 'eu', 'standard', 2000],
    ['that of the shop for a country without rates', 'NL', 'eu', 'reduced', 700],
    ['of the class zero', 'FR', 'eu', 'zero', 0],
    ['none for an export', 'CH', 'export', 'standard', 0],
    ['none where the buyer owes the tax', 'FR', 'reverse-charge', 'standard', 0],
  ] as const)('is %s', (_what, country, treatment, taxClass, rate) => {
    expect(taxRateFor(rates, { country, treatment, taxClass })).toBe(rate);
  });

  it('is in basis points, exactly', () => {
    // 1.15 * 100 is 114.99999999999999.
    expect([1.15, 8.1, 25.25, 19].map(toBasisPoints)).toEqual([115, 810, 2525, 1900]);
    expect([115, 810, 2525, 1900].map(toPercent)).toEqual([1.15, 8.1, 25.25, 19]);
  });
});
