import { sellerOf, type SellerConfig } from '@storefront/documents';
import type { Party } from './account.ts';

/** The settings of the shop's operator that are printed on every invoice or are used as defaults. */
export interface Shop {
  /** ISO 4217. */
  readonly currency: string;
  /** In which invoices are dated and due. */
  readonly timeZone: string;
  readonly seller: Party;
  readonly bank: { readonly name: string; readonly iban: string; readonly bic: string | null } | null;
  /** In minor units. */
  readonly defaultLimit: number;
  readonly defaultTermsDays: number;
  /** In per cent. */
  readonly defaultTaxRate: number;
}

/** Reads the shop's settings from the configuration. */
export function shopOf(
  config: SellerConfig & {
    readonly CURRENCY: string;
    readonly SHOP_TIME_ZONE: string;
    readonly BANK_NAME?: string | undefined;
    readonly BANK_IBAN?: string | undefined;
    readonly BANK_BIC?: string | undefined;
    readonly DEFAULT_TERMS_DAYS: number;
    readonly DEFAULT_CREDIT_LIMIT: number;
    readonly DEFAULT_TAX_RATE: number;
  },
): Shop {
  const { BANK_IBAN: iban, BANK_NAME: holder = config.SELLER_NAME } = config;
  return {
    currency: config.CURRENCY,
    timeZone: config.SHOP_TIME_ZONE,
    seller: sellerOf(config),
    bank: iban === undefined ? null : { name: holder, iban, bic: config.BANK_BIC ?? null },
    defaultLimit: config.DEFAULT_CREDIT_LIMIT,
    defaultTermsDays: config.DEFAULT_TERMS_DAYS,
    defaultTaxRate: config.DEFAULT_TAX_RATE,
  };
}
