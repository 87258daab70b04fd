import type { catalogHttp, StateOf } from '@storefront/contracts';
import { isInEuVatArea, vatAreaOf, vatNumberOf } from '@storefront/countries';
import { z } from 'zod';

/** What is delivered, where to, and to whom. */
export interface Delivery {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The VAT number of the buyer, who is a trade account; null for everybody else. */
  readonly vatNumber: string | null;
}

/**
 * How a delivery is taxed. `domestic` and `eu`: by the rates of its country. `reverse-charge`: the buyer owes the tax.
 * `export`: not at all.
 */
export type TaxTreatment = 'domestic' | 'eu' | 'reverse-charge' | 'export';

/**
 * How a delivery is taxed: as billing taxes its invoices, by the country that it goes to. No tax is charged on one that
 * leaves the EU, nor on one to another country of the EU for a buyer with a VAT number of any other country of the EU. A
 * VAT number of Northern Ireland (`XI`) makes a delivery to the United Kingdom one inside the EU, as the VAT rules say
 * for goods.
 */
export function taxTreatmentOf({ country, vatNumber }: Delivery, sellerCountry: string): TaxTreatment {
  const [area, home] = [vatAreaOf(country), vatAreaOf(sellerCountry)];
  if (area === home) return 'domestic';
  const number = vatNumberOf(vatNumber);
  const isOfNorthernIreland = number?.prefix === 'XI';
  const isInside = isInEuVatArea(area) || (area === 'GB' && isOfNorthernIreland);
  if (!isInside || !isInEuVatArea(home)) return 'export';
  if (number === null || number.country === home) return 'eu';
  return isInEuVatArea(number.country) || isOfNorthernIreland ? 'reverse-charge' : 'eu';
}

const basisPoints = z.int();

/** The rates of a country in basis points, hundredths of a per cent. */
export const countryRates = z.object({
  country: z.string(),
  standard: basisPoints,
  /** Null for a country without a reduced rate: the standard one applies. */
  reduced: basisPoints.nullable(),
  zero: basisPoints,
});
export type CountryRates = StateOf<typeof countryRates>;

/** The tax rates of all countries that staff have set, and the rates of the shop's own country. */
export interface TaxRates {
  readonly home: CountryRates;
  readonly countries: ReadonlyMap<string, CountryRates>;
}

/**
 * The rate for a delivery, in basis points; 0 where no tax is charged. A country without rates has those of the country
 * to whose VAT area it belongs; one of the EU without rates has those of the shop, as small sellers charge them.
 */
export function taxRateFor(
  { home, countries }: TaxRates,
  { country, treatment, taxClass }: { country: string; treatment: TaxTreatment; taxClass: catalogHttp.TaxClass },
): number {
  if (treatment === 'export' || treatment === 'reverse-charge') return 0;
  const rates = countries.get(country) ?? countries.get(vatAreaOf(country)) ?? home;
  return taxClass === 'reduced' ? (rates.reduced ?? rates.standard) : rates[taxClass];
}

/** Basis points of a rate in per cent. Rates have at most two decimals, so this is always an integer. */
export function toBasisPoints(percent: number): number {
  return Math.round(percent * 100);
}

/** A rate in per cent, as answers and events have it. */
export function toPercent(rate: number): number {
  return rate / 100;
}
