import XMLBuilder from 'fast-xml-builder';
import type { billingEvents } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import { plainQuantity } from '../amounts.ts';
import { taxRowsOf, untaxedOf, type Untaxed } from '../taxes.ts';
import { partyXml } from './party.ts';
import { text, type Element } from './text.ts';

type InvoiceDocument = billingEvents.InvoiceDocument;
type CreditNoteDocument = billingEvents.CreditNoteDocument;
type Document = InvoiceDocument | CreditNoteDocument;
type Line = Document['lines'][number];

const builder = new XMLBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true });

/** The invoice as an e-invoice: EN 16931 in UBL 2.1, encoded in UTF-8. */
export function invoiceXml(document: InvoiceDocument): string {
  const { number, issuedOn, dueOn, termsDays, reference, orderRef, currency, lines, isPrepaid = false } = document;
  return written('Invoice', {
    'cbc:CustomizationID': customization,
    'cbc:ID': text(number),
    'cbc:IssueDate': issuedOn,
    'cbc:DueDate': dueOn,
    // UNTDID 1001: commercial invoice.
    'cbc:InvoiceTypeCode': '380',
    'cbc:DocumentCurrencyCode': currency,
    'cac:OrderReference': orderReference(reference, orderRef),
    ...parties(document),
    'cac:PaymentMeans': isPrepaid ? undefined : paymentMeans(document),
    'cac:PaymentTerms': { 'cbc:Note': isPrepaid ? 'Paid by card' : `Net ${termsDays} days, due on ${dueOn}` },
    ...sums(document, isPrepaid),
    'cac:InvoiceLine': lines.map((line, index) => lineXml(document, line, index, 'cbc:InvoicedQuantity')),
  });
}

/**
 * The credit note as an e-invoice: EN 16931 in UBL 2.1, encoded in UTF-8. It contains the number and date of its
 * invoice.
 */
export function creditNoteXml(document: CreditNoteDocument): string {
  const { number, issuedOn, reason, invoiceNumber, invoiceIssuedOn, currency, lines } = document;
  return written('CreditNote', {
    'cbc:CustomizationID': customization,
    'cbc:ID': text(number),
    'cbc:IssueDate': issuedOn,
    // UNTDID 1001: credit note.
    'cbc:CreditNoteTypeCode': '381',
    'cbc:Note': text(reason),
    'cbc:DocumentCurrencyCode': currency,
    'cac:BillingReference': {
      'cac:InvoiceDocumentReference': { 'cbc:ID': text(invoiceNumber), 'cbc:IssueDate': invoiceIssuedOn },
    },
    ...parties(document),
    'cac:PaymentTerms': { 'cbc:Note': text(`Taken off invoice ${invoiceNumber}`) },
    ...sums(document),
    'cac:CreditNoteLine': lines.map((line, index) => lineXml(document, line, index, 'cbc:CreditedQuantity')),
  });
}

const customization = 'urn:cen.eu:en16931:2017';

function written(root: 'Invoice' | 'CreditNote', content: Element): string {
  const schemas = 'urn:oasis:names:specification:ubl:schema:xsd';
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    [root]: {
      '@_xmlns': `${schemas}:${root}-2`,
      '@_xmlns:cac': `${schemas}:CommonAggregateComponents-2`,
      '@_xmlns:cbc': `${schemas}:CommonBasicComponents-2`,
      ...content,
    },
  });
}

/**
 * The order numbers: BT-13 is the buyer's, BT-14 the seller's. UBL requires the buyer's number. If there is none, `NA`
 * is written instead.
 */
function orderReference(reference: string | null, orderRef: string | null): Element | undefined {
  if (reference === null && orderRef === null) return undefined;
  return {
    'cbc:ID': text(reference ?? 'NA'),
    ...(orderRef === null ? {} : { 'cbc:SalesOrderID': text(orderRef) }),
  };
}

function parties({ seller, buyer }: Document): Element {
  return {
    'cac:AccountingSupplierParty': { 'cac:Party': partyXml(seller) },
    'cac:AccountingCustomerParty': { 'cac:Party': partyXml(buyer) },
  };
}

function paymentMeans({ bank, currency, number }: InvoiceDocument): Element | undefined {
  if (bank === null) return undefined;
  return {
    // UNTDID 4461: SEPA credit transfer, credit transfer.
    'cbc:PaymentMeansCode': currency === 'EUR' ? '58' : '30',
    'cbc:PaymentID': text(number),
    'cac:PayeeFinancialAccount': {
      'cbc:ID': bank.iban,
      'cbc:Name': text(bank.name),
      ...(bank.bic === null ? {} : { 'cac:FinancialInstitutionBranch': { 'cbc:ID': bank.bic } }),
    },
  };
}

function sums(document: Document, isPrepaid = false): Element {
  const { currency, subtotal, tax, total } = document;
  const amount = (value: number) => amountXml(value, currency);
  const untaxed = untaxedOf(document);
  return {
    'cac:TaxTotal': {
      'cbc:TaxAmount': amount(untaxed ? 0 : tax),
      'cac:TaxSubtotal': taxRowsOf(document).map((row) => ({
        'cbc:TaxableAmount': amount(row.base),
        'cbc:TaxAmount': amount(row.amount),
        'cac:TaxCategory': taxCategory(row.rate, untaxed, untaxed ? exemptionOf(untaxed) : {}),
      })),
    },
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': amount(subtotal),
      'cbc:TaxExclusiveAmount': amount(subtotal),
      'cbc:TaxInclusiveAmount': amount(total),
      ...(isPrepaid && { 'cbc:PrepaidAmount': amount(total) }),
      'cbc:PayableAmount': amount(isPrepaid ? 0 : total),
    },
  };
}

function lineXml(document: Document, line: Line, index: number, quantity: string): Element {
  const { currency } = document;
  const { description, sku, unitPrice, discount, taxRate, net } = line;
  return {
    'cbc:ID': String(index + 1),
    // UN/ECE recommendation 20: C62 is the unit "one".
    [quantity]: { '#text': plainQuantity(line.quantity), '@_unitCode': 'C62' },
    'cbc:LineExtensionAmount': amountXml(net, currency),
    ...(discount === 0
      ? {}
      : {
          'cac:AllowanceCharge': {
            'cbc:ChargeIndicator': 'false',
            // UNTDID 5189: discount.
            'cbc:AllowanceChargeReasonCode': '95',
            'cbc:Amount': amountXml(discount, currency),
          },
        }),
    'cac:Item': {
      'cbc:Name': text(description),
      ...(sku === null ? {} : { 'cac:SellersItemIdentification': { 'cbc:ID': text(sku) } }),
      'cac:ClassifiedTaxCategory': taxCategory(taxRate, untaxedOf(document)),
    },
    'cac:Price': { 'cbc:PriceAmount': amountXml(unitPrice, currency) },
  };
}

function exemptionOf({ code, reason }: Untaxed): Element {
  return {
    ...(code === null ? {} : { 'cbc:TaxExemptionReasonCode': code }),
    'cbc:TaxExemptionReason': reason,
  };
}

/** The VAT category (UNTDID 5305). If tax is charged: Z for rate 0, S for every other rate. */
function taxCategory(rate: number, untaxed: Untaxed | null, reason: Element = {}): Element {
  return {
    'cbc:ID': untaxed?.category ?? (rate === 0 ? 'Z' : 'S'),
    'cbc:Percent': untaxed ? '0' : String(rate),
    ...reason,
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  };
}

function amountXml(value: number, currency: string): Element {
  return { '#text': toDecimal({ amount: value, currency }), '@_currencyID': currency };
}
