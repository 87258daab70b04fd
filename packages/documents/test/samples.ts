import { divideHalfUp, product } from '@storefront/money';
import type { billingEvents } from '@storefront/contracts';
import type {
  OrderConfirmationDocument,
  PackingSlipDocument,
  StatementDocument,
  StatementEntry,
} from '../src/index.ts';

type InvoiceDocument = billingEvents.InvoiceDocument;
type Line = InvoiceDocument['lines'][number];

/** A line as billing makes it: its net is the quantity by the price, less the discount. */
export function lineOf(given: Partial<Line> = {}): Line {
  const line = {
    description: 'Assam, 1 kg',
    sku: 'TEA-1',
    quantity: 3,
    unitPrice: 1099,
    discount: 0,
    taxRate: 19,
    ...given,
  };
  const gross = divideHalfUp(Math.round(line.quantity * 1000) * line.unitPrice, 1000);
  return { ...line, net: gross - line.discount };
}

/** The sums of lines as billing makes them: tax is rounded for each rate. */
function sumsOf(
  lines: readonly Line[],
  { taxTreatment = 'domestic', reverseCharge = taxTreatment === 'reverse-charge' }: Partial<InvoiceDocument>,
): Pick<InvoiceDocument, 'lines' | 'taxes' | 'subtotal' | 'tax' | 'total' | 'taxTreatment' | 'reverseCharge'> {
  const taxed =
    reverseCharge || taxTreatment === 'export' ? lines.map((line) => ({ ...line, taxRate: 0 })) : [...lines];
  const subtotal = taxed.reduce((sum, { net }) => sum + net, 0);
  const rates = [...new Set(taxed.map(({ taxRate }) => taxRate))].sort((one, other) => other - one);
  const taxes = rates.map((rate) => {
    const base = taxed.reduce((sum, { taxRate, net }) => (taxRate === rate ? sum + net : sum), 0);
    return { rate, base, amount: divideHalfUp(base * Math.round(rate * 100), 10_000) };
  });
  const tax = taxes.reduce((sum, { amount }) => sum + amount, 0);
  return { lines: taxed, taxes, subtotal, tax, total: subtotal + tax, taxTreatment, reverseCharge };
}

const seller = {
  businessName: 'Teehandel Köhler & Söhne GmbH',
  address: 'Große Bleichen 12\n20354 Hamburg',
  country: 'DE',
  vatNumber: 'DE136695976',
};
const buyer = {
  businessName: 'Analytical Engines Ltd',
  address: '12 St James Square\nAmsterdam',
  country: 'NL',
  vatNumber: 'NL123456789B01',
};
const bank = { name: 'Teehandel Köhler & Söhne GmbH', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };
const issued = { issuedAt: '2026-11-21T09:30:00.000Z', issuedOn: '2026-11-21' };

/** The example of the contract: 3 × 10.99 at 19 % and 1 × 3.35 at 7 % are 42.81. */
const exampleLines = [
  lineOf(),
  lineOf({ description: 'Sencha, 50 g', sku: null, quantity: 1, unitPrice: 335, taxRate: 7 }),
];

export function invoiceOf(
  given: Partial<InvoiceDocument> = {},
  lines: readonly Line[] = exampleLines,
): InvoiceDocument {
  return {
    number: 'INV-2026-000123',
    currency: 'EUR',
    ...issued,
    dueOn: '2026-12-21',
    termsDays: 30,
    buyer,
    seller,
    bank,
    reference: 'PO-7781',
    orderRef: 'order-1042',
    ...sumsOf(lines, given),
    ...given,
  };
}

export function creditNoteOf(
  given: Partial<billingEvents.CreditNoteDocument> = {},
  lines: readonly Line[] = exampleLines,
): billingEvents.CreditNoteDocument {
  return {
    number: 'CN-2026-000001',
    currency: 'EUR',
    ...issued,
    buyer,
    seller,
    bank,
    reason: 'Damaged on the way',
    invoiceNumber: 'INV-2026-000122',
    invoiceIssuedOn: '2026-11-02',
    ...sumsOf(lines, given),
    ...given,
  };
}

export function statementOf(
  given: Partial<StatementDocument> = {},
  entries: readonly Omit<StatementEntry, 'balance'>[] = [
    { on: '2026-11-03', kind: 'invoice', number: 'INV-2026-000120', id: 'inv_01', amount: 4281 },
    { on: '2026-11-20', kind: 'payment', number: null, id: 'pay_01', amount: -14_281 },
  ],
): StatementDocument {
  const opening = given.opening ?? 0;
  let balance = opening;
  const withBalances = entries.map((entry) => ({ ...entry, balance: (balance += entry.amount) }));
  return {
    buyer,
    seller,
    currency: 'EUR',
    from: '2026-11-01',
    to: '2026-12-01',
    madeAt: '2026-12-02T08:00:00.000Z',
    madeOn: '2026-12-02',
    opening,
    entries: withBalances,
    closing: balance,
    ageing: { notDue: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0, credit: 10_000 },
    ...given,
  };
}

type ConfirmationLine = OrderConfirmationDocument['lines'][number];

/** A line of an order as orders makes it: its amount is the quantity by the price, less the discount. */
export function orderLineOf(given: Partial<ConfirmationLine> = {}): ConfirmationLine {
  const line = {
    name: 'Assam',
    values: ['1 kg'],
    sku: 'TEA-1',
    quantity: 3,
    unitPrice: 1099,
    discount: 0,
    taxRate: 19,
    ...given,
  };
  return { ...line, amount: line.quantity * line.unitPrice - line.discount };
}

const ofOrder = {
  locale: 'en',
  number: 'ORD-2026-000123',
  placedOn: '2026-11-26',
  madeAt: '2026-11-26T09:30:00.000Z',
  seller,
  recipient: { businessName: 'Ada Lovelace', address: 'Keizersgracht 1\nAmsterdam', country: 'NL', vatNumber: null },
  reference: null,
} as const;

/** An order confirmation with the sums as orders makes them. */
export function orderConfirmationOf(
  given: Partial<OrderConfirmationDocument> = {},
  lines: readonly ConfirmationLine[] = [orderLineOf()],
): OrderConfirmationDocument {
  const { taxIncluded = true, shipping = { name: 'Parcel', price: 500, discount: 0 } } = given;
  const rates = [...new Set([...lines.map(({ taxRate }) => taxRate), ...(shipping.price > 0 ? [19] : [])])];
  const taxes = rates.map((rate) => {
    const ofRate = lines.reduce((sum, line) => (line.taxRate === rate ? sum + line.amount : sum), 0);
    const base = ofRate + (rate === 19 ? shipping.price - shipping.discount : 0);
    const points = Math.round(rate * 100);
    const tax = divideHalfUp(product(base, points), taxIncluded ? 10_000 + points : 10_000);
    return { rate, net: taxIncluded ? base - tax : base, tax };
  });
  return {
    ...ofOrder,
    currency: 'EUR',
    buyer: ofOrder.recipient,
    email: null,
    payment: 'card',
    taxIncluded,
    reverseCharge: false,
    lines,
    shipping,
    discounts: [],
    taxes,
    total: taxes.reduce((sum, { net, tax }) => sum + net + tax, 0),
    ...given,
  };
}

export function packingSlipOf(given: Partial<PackingSlipDocument> = {}): PackingSlipDocument {
  return {
    ...ofOrder,
    shippingOption: 'Parcel',
    shipment: { shippedOn: '2026-11-27', carrier: 'DHL', trackingNumber: '00340434161094042557' },
    lines: [orderLineOf()].map(({ name, values, sku, quantity }) => ({ name, values, sku, quantity })),
    ...given,
  };
}
