import { describe, expect, it } from 'vitest';
import { countryInAddress, countryNamed, nameOfCountry } from '../src/names.ts';
import { isInEuVatArea, vatAreaOf } from '../src/vat-areas.ts';
import { vatNumberOf } from '../src/vat-numbers.ts';

describe('a name of a country', () => {
  it.each([
    ['United Kingdom', 'GB'],
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['scotland', 'GB'],
    ['USA', 'US'],
    ['United States of America', 'US'],
    ['Schweiz', 'CH'],
    ['SUISSE', 'CH'],
    ['Svizzera', 'CH'],
    ['The Netherlands', 'NL'],
    ['Nederland', 'NL'],
    ['Österreich', 'AT'],
    ['Osterreich', 'AT'],
    ['Ελλάδα', 'GR'],
    ['日本', 'JP'],
    ['中国', 'CN'],
    ['中國', 'CN'],
    ['台灣', 'TW'],
    ['대한민국', 'KR'],
    ['مصر', 'EG'],
    ['ישראל', 'IL'],
    ['ไทย', 'TH'],
    ['भारत', 'IN'],
    ['Isle of Man', 'IM'],
    ['de', 'DE'],
    ['EL', 'GR'],
    ['Atlantis', null],
    ['London', null],
    ['', null],
  ])('%s is %s', (name, code) => {
    expect(countryNamed(name)).toBe(code);
  });

  it('is printed in English', () => {
    expect([nameOfCountry('GB'), nameOfCountry('XYZ')]).toEqual(['United Kingdom', 'XYZ']);
  });
});

describe('the last line of an address', () => {
  it.each([
    ['12 St James Square\nLondon SW1Y 4JH\nUnited Kingdom', 'GB'],
    ['1 Mill Lane, London, UK\n \n', 'GB'],
    ['Bahnhofstrasse 1\nCH-8001 Zürich', 'CH'],
    ['Hauptstraße 1\nD-10115 Berlin', 'DE'],
    ['Pier 4, 1011 AB Amsterdam, Netherlands', 'NL'],
    ['1-1 Marunouchi\nTokyo\nJP', 'JP'],
    // Of the states Delaware, California and Georgia.
    ['1 Market Street\nWilmington, DE', null],
    ['San Francisco, CA', null],
    ['Atlanta, Georgia', null],
    ['Hauptstraße 1\n10115 Berlin', null],
    // Only the last line counts: a street may be called after a country.
    ['England\nLane 4', null],
  ])('%j: %s', (address, code) => {
    expect(countryInAddress(address)).toBe(code);
  });
});

it.each([
  ['NL123456789B01', 'NL', 'NL'],
  ['nl 1234.56789-b01', 'NL', 'NL'],
  ['EL123456789', 'EL', 'GR'],
  ['XI123456789', 'XI', 'GB'],
  ['GB123456789', 'GB', 'GB'],
  ['CHE-123.456.788 MWST', 'CHE', 'CH'],
  ['NO 923 456 789 MVA', 'NO', 'NO'],
  ['ATU12345678', 'AT', 'AT'],
])('the VAT number %s has the prefix %s and is of %s', (text, prefix, country) => {
  expect(vatNumberOf(text)).toEqual({ prefix, country });
});

it.each(['FRANCE', 'NL', '123456789', 'US123456789', 'GR123456789', 'CH123456789', '', null])(
  '%j is no VAT number that says its country',
  (text) => {
    expect(vatNumberOf(text)).toBeNull();
  },
);

it('knows which areas are those of another country', () => {
  expect(['MC', 'IM', 'JE', 'RE'].map(vatAreaOf)).toEqual(['FR', 'GB', 'JE', 'RE']);
  expect(['MC', 'GR', 'DE'].every(isInEuVatArea)).toBe(true);
  // Overseas territories, and those that are next to members.
  expect(['GB', 'IM', 'RE', 'AX', 'GL', 'CH', 'XI'].some(isInEuVatArea)).toBe(false);
});
