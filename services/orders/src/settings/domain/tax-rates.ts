import {
  audited,
  changed,
  ordersFields,
  type Actor,
  type Decision,
  type FieldError,
  type ordersHttp,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { countryRates, toBasisPoints, type CountryRates, type TaxRates } from '../../domain/tax.ts';

/** The tax rates that staff have set, in one document. */
export const storedTaxRates = z.object({ id: z.string(), rates: z.array(countryRates), updatedAt: z.date() });
export type StoredTaxRates = StateOf<typeof storedTaxRates>;

/** The id of the one document. */
export const allRates = 'all';

/** What the operator states about the tax of the shop. */
export interface Seller {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The standard rate of the country until staff set rates, in per cent. */
  readonly defaultTaxRate: number;
}

/** The rates that apply. Until staff set some, there is only the standard rate of the shop's country. */
export function ratesInForce(stored: StoredTaxRates | null, { country, defaultTaxRate }: Seller): TaxRates {
  const countries = new Map((stored?.rates ?? []).map((rates) => [rates.country, rates]));
  const fallback: CountryRates = { country, standard: toBasisPoints(defaultTaxRate), reduced: null, zero: 0 };
  const home = countries.get(country) ?? fallback;
  return { home, countries: new Map([[country, home], ...countries]) };
}

export function taxRateFaults({ rates }: Partial<ordersHttp.TaxRatesSetting>, { country }: Seller): FieldError[] {
  return rates && !rates.some((each) => each.country === country) ? [ordersFields.sellerCountryMissing(country)] : [];
}

/** Replaces all rates. */
export function setTaxRates(
  { rates }: ordersHttp.TaxRatesSetting,
  { actor, now }: { actor: Actor; now: Date },
): Decision<StoredTaxRates, StoredTaxRates> {
  const next = {
    id: allRates,
    rates: rates.map(({ country, standard, reduced, zero }) => ({
      country,
      standard: toBasisPoints(standard),
      reduced: reduced === null ? null : toBasisPoints(reduced),
      zero: toBasisPoints(zero),
    })),
    updatedAt: now,
  };
  const details = { countries: rates.length };
  return changed(next, [
    audited('orders', actor, 'tax-rates-set', { object: { type: 'tax rates', id: allRates }, details }),
  ]);
}
