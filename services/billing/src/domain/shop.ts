import type { Party } from './account.ts';

/** The settings of the shop's operator that are printed on every invoice or are used as defaults. */
export interface Shop {
  /** ISO 4217. */
  readonly currency: string;
  readonly seller: Party;
  readonly bank: { readonly name: string; readonly iban: string; readonly bic: string | null } | null;
  /** In minor units. */
  readonly defaultLimit: number;
  readonly defaultTermsDays: number;
  /** In per cent. */
  readonly defaultTaxRate: number;
}

/** Reads the shop's settings from the configuration. */
export function shopOf(config: {
  readonly CURRENCY: string;
  readonly SELLER_NAME: string;
  readonly SELLER_ADDRESS: string;
  readonly SELLER_COUNTRY: string;
  readonly SELLER_VAT_NUMBER: string;
  readonly BANK_NAME?: string | undefined;
  readonly BANK_IBAN?: string | undefined;
  readonly BANK_BIC?: string | undefined;
  readonly DEFAULT_TERMS_DAYS: number;
  readonly DEFAULT_CREDIT_LIMIT: number;
  readonly DEFAULT_TAX_RATE: number;
}): Shop {
  const { SELLER_NAME: businessName, BANK_IBAN: iban } = config;
  return {
    currency: config.CURRENCY,
    seller: {
      businessName,
      address: config.SELLER_ADDRESS,
      country: config.SELLER_COUNTRY,
      vatNumber: config.SELLER_VAT_NUMBER,
    },
    bank: iban === undefined ? null : { name: config.BANK_NAME ?? businessName, iban, bic: config.BANK_BIC ?? null },
    defaultLimit: config.DEFAULT_CREDIT_LIMIT,
    defaultTermsDays: config.DEFAULT_TERMS_DAYS,
    defaultTaxRate: config.DEFAULT_TAX_RATE,
  };
}
