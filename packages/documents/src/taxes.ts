import type { billingEvents } from '@storefront/contracts';
import { isInEuVatArea, nameOfCountry } from '@storefront/countries';

type Document = billingEvents.InvoiceDocument | billingEvents.CreditNoteDocument;

/** Why no tax is charged. */
export interface Untaxed {
  /** The VAT category, a code of UNTDID 5305. */
  readonly category: 'AE' | 'G';
  /** The reason as a code of the list VATEX. Null for sellers outside the EU, because the list has no code for them. */
  readonly code: string | null;
  /** The reason as a text for e-invoices. */
  readonly reason: string;
  /** The sentence for printed documents. */
  readonly sentence: string;
}

/** Returns why no tax is charged; null if the seller charges tax by the rates of the lines. */
export function untaxedOf({
  reverseCharge,
  taxTreatment,
  seller,
}: Pick<Document, 'reverseCharge' | 'taxTreatment' | 'seller'>): Untaxed | null {
  if (reverseCharge)
    return {
      category: 'AE',
      code: 'VATEX-EU-AE',
      reason: 'Reverse charge',
      // The directive requires a note like this: article 226 (11a).
      sentence: 'Reverse charge: the recipient is liable for the tax (Article 196, Directive 2006/112/EC).',
    };
  if (taxTreatment !== 'export') return null;
  const notSubject = `Not subject to VAT of ${nameOfCountry(seller.country)}`;
  return isInEuVatArea(seller.country)
    ? {
        category: 'G',
        code: 'VATEX-EU-G',
        reason: 'Export outside the EU',
        // Article 226 (11) requires the provision by which the supply is exempt.
        sentence: `${notSubject}: export outside the European Union (Article 146, Directive 2006/112/EC).`,
      }
    : { category: 'G', code: null, reason: 'Export', sentence: `${notSubject}: export.` };
}

/** The tax for each rate, as written on invoices and e-invoices. If no tax is charged: one row with rate 0. */
export function taxRowsOf(document: Document): Document['taxes'] {
  const { subtotal, taxes } = document;
  return untaxedOf(document) ? [{ rate: 0, base: subtotal, amount: 0 }] : taxes;
}
