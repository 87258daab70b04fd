import type { billingEvents } from '@storefront/contracts';
import { z } from 'zod';

const line = z.string().trim().min(1).max(200);

/** The variables that say who sells, for the configuration of every service that makes documents. */
export const sellerVariables = {
  SELLER_NAME: line.describe('The name of the business that sells, as it stands on invoices and papers of orders.'),
  SELLER_ADDRESS: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .transform((text) => text.replaceAll('\\n', '\n'))
    .describe('Its postal address; `\\n` separates lines.'),
  SELLER_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166-1 code of two letters' })
    .describe('Its country (ISO 3166-1 alpha-2).'),
  SELLER_VAT_NUMBER: line.describe('Its VAT number.'),
};

export type SellerConfig = Readonly<Record<keyof typeof sellerVariables, string>>;

/** The seller as it stands on documents. */
export function sellerOf(config: SellerConfig): billingEvents.DocumentParty {
  return {
    businessName: config.SELLER_NAME,
    address: config.SELLER_ADDRESS,
    country: config.SELLER_COUNTRY,
    vatNumber: config.SELLER_VAT_NUMBER,
  };
}
