import { expect, it } from 'vitest';
import { countryOfBusiness } from './business-country.ts';

it.each([
  [{ country: 'US', vatNumber: 'NL123456789B01', businessAddress: 'Berlin\nGermany' }, 'US'],
  [{ vatNumber: 'NL123456789B01', businessAddress: 'Berlin\nGermany' }, 'NL'],
  [{ vatNumber: 'XI123456789', businessAddress: 'Belfast' }, 'GB'],
  [{ vatNumber: 'EL123456789', businessAddress: 'Athens' }, 'GR'],
  [{ vatNumber: 'unknown', businessAddress: 'Bahnhofstrasse 1\n8001 Zürich\nSchweiz' }, 'CH'],
  [{ vatNumber: null, businessAddress: '12 St James Square\nLondon\nUK' }, 'GB'],
  [{ vatNumber: null, businessAddress: '12 St James Square\nLondon' }, null],
])('the country of %j is %s', (stated, country) => {
  expect(countryOfBusiness(stated)).toBe(country);
});
