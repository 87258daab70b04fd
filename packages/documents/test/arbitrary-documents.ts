import * as fc from 'fast-check';
import type { billingEvents } from '@storefront/contracts';
import { creditNoteOf, invoiceOf, lineOf } from './samples.ts';
import { inject } from 'vitest';

const words = fc.constantFrom(
  'Assam',
  'Źródło',
  'τσάι',
  'Їжак',
  'W'.repeat(60),
  'q&<"\'>',
  '🍵',
  '茶',
  '深圳市创新科技有限公司（股份）',
  'ビルディング、',
  '주식회사',
  'شركة',
  'للتجارة،',
  'ذ.م.م',
  '(תעשיות)',
  'בע"מ',
  '١٢٣',
  'สยามการค้าระหว่างประเทศ',
  'प्रिंटिंग',
  '-',
  '=1+1',
  'Donaudampfschifffahrt',
);

/** One line of text, as the contract takes it: of so many characters at most. */
export function textOf(most: number): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.array(words, { minLength: 1, maxLength: 40 }).map((some) => some.join(' ')),
      fc.string({ unit: 'grapheme', minLength: 1 }),
    )
    .map((text) => Array.from(text).slice(0, most).join('').trim() || 'x');
}

const line = fc
  .record({
    description: textOf(200),
    sku: fc.option(textOf(64)),
    quantity: fc.integer({ min: 1, max: 1_000_000 }).map((thousandths) => thousandths / 1000),
    unitPrice: fc.nat(10_000_000),
    taxRate: fc.constantFrom(0, 5.5, 7, 19, 25),
    taken: fc.constantFrom(0, 0, 3, 100),
  })
  .map(({ taken, ...given }) => {
    const full = lineOf(given);
    const discount = Math.floor((full.net * taken) / 100);
    return lineOf({ ...given, discount });
  });

const lines = fc.array(line, { minLength: 1, maxLength: 60 });

const party = fc.record({
  businessName: textOf(200),
  address: fc.array(textOf(50), { minLength: 1, maxLength: 10 }).map((some) => some.join('\n')),
  country: fc.constantFrom('DE', 'GR', 'PL', 'NL'),
  vatNumber: fc.constantFrom('DE136695976', 'EL094259216', 'PL5260250274'),
});
const shared = {
  buyer: party,
  seller: party,
  currency: fc.constantFrom('EUR', 'PLN', 'JPY'),
  taxTreatment: fc.constantFrom('domestic' as const, 'eu' as const, 'reverse-charge' as const, 'export' as const),
};

const chargeOf = ({ taxTreatment }: Pick<billingEvents.InvoiceDocument, 'taxTreatment'>) => ({
  reverseCharge: taxTreatment === 'reverse-charge',
});

export const invoices: fc.Arbitrary<billingEvents.InvoiceDocument> = fc
  .tuple(fc.record({ ...shared, reference: fc.option(textOf(100)), orderRef: fc.option(textOf(100)) }), lines)
  .map(([given, some]) => invoiceOf({ ...given, ...chargeOf(given) }, some));

export const creditNotes: fc.Arbitrary<billingEvents.CreditNoteDocument> = fc
  .tuple(fc.record({ ...shared, reason: textOf(500) }), lines)
  .map(([given, some]) => creditNoteOf({ ...given, ...chargeOf(given) }, some));

/** How often properties are tried. Pages take longer than sums. */
export const runs = { numRuns: inject('isProof') ? 10_000 : 200 };
export const pageRuns = { numRuns: Math.ceil(runs.numRuns / 8) };
