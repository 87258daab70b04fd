import * as fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { exponentOf } from '@storefront/money';
import { creditNoteXml, invoiceXml } from '../src/index.ts';
import { creditNotes, invoices, runs } from './arbitrary-documents.ts';
import { creditNoteOf, invoiceOf, lineOf } from './samples.ts';

interface Amount {
  readonly '#text': string;
  readonly '@_currencyID': string;
}
interface Category {
  readonly 'cbc:ID': string;
  readonly 'cbc:Percent': string;
  readonly 'cbc:TaxExemptionReasonCode'?: string;
  readonly 'cbc:TaxExemptionReason'?: string;
}
interface ReadParty {
  readonly 'cac:PartyTaxScheme'?: { readonly 'cbc:CompanyID': string };
  readonly 'cac:PartyLegalEntity': { readonly 'cbc:RegistrationName': string; readonly 'cbc:CompanyID'?: string };
  readonly 'cac:PostalAddress': {
    readonly 'cbc:StreetName'?: string;
    readonly 'cbc:AdditionalStreetName'?: string;
    readonly 'cac:AddressLine'?: { readonly 'cbc:Line': string };
  };
}
interface Read {
  readonly 'cbc:ID': string;
  readonly 'cbc:Note'?: string;
  readonly 'cac:OrderReference'?: { readonly 'cbc:ID': string; readonly 'cbc:SalesOrderID'?: string };
  readonly 'cac:AccountingSupplierParty': { readonly 'cac:Party': ReadParty };
  readonly 'cac:AccountingCustomerParty': { readonly 'cac:Party': ReadParty };
  readonly 'cac:PaymentMeans'?: object;
  readonly 'cac:TaxTotal': {
    readonly 'cbc:TaxAmount': Amount;
    readonly 'cac:TaxSubtotal': readonly {
      readonly 'cbc:TaxableAmount': Amount;
      readonly 'cbc:TaxAmount': Amount;
      readonly 'cac:TaxCategory': Category;
    }[];
  };
  readonly 'cac:LegalMonetaryTotal': Readonly<Record<string, Amount>>;
  readonly lines: readonly {
    readonly 'cbc:InvoicedQuantity'?: { readonly '#text': string };
    readonly 'cbc:LineExtensionAmount': Amount;
    readonly 'cac:AllowanceCharge'?: { readonly 'cbc:Amount': Amount };
    readonly 'cac:Item': { readonly 'cbc:Name': string; readonly 'cac:ClassifiedTaxCategory': Category };
    readonly 'cac:Price': { readonly 'cbc:PriceAmount': Amount };
  }[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => ['cac:InvoiceLine', 'cac:CreditNoteLine', 'cac:TaxSubtotal'].includes(name),
});

function read(xml: string): Read {
  expect(XMLValidator.validate(xml)).toBe(true);
  const { Invoice, CreditNote } = parser.parse(xml) as { Invoice?: object; CreditNote?: object };
  const root = { ...Invoice, ...CreditNote } as Read & { readonly [name: string]: Read['lines'] | undefined };
  return { ...root, lines: root['cac:InvoiceLine'] ?? root['cac:CreditNoteLine'] ?? [] };
}

/** An amount in minor units, as whole numbers are exact. */
function minor(amount: Amount | undefined): bigint {
  if (amount === undefined) throw new TypeError('There is no such amount');
  const exponent = exponentOf(amount['@_currencyID']);
  const [whole = '', fraction = ''] = amount['#text'].split('.');
  expect(fraction).toHaveLength(exponent);
  return BigInt(whole + fraction);
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
const same = (one: Category, other: Category) =>
  one['cbc:ID'] === other['cbc:ID'] && one['cbc:Percent'] === other['cbc:Percent'];

const reasonCodes: Readonly<Record<string, string>> = { AE: 'VATEX-EU-AE', G: 'VATEX-EU-G' };

/** The rules of EN 16931 about sums and taxes, by their names there. */
function expectRules(document: Read): void {
  const totals = document['cac:LegalMonetaryTotal'];
  const { 'cbc:TaxAmount': tax, 'cac:TaxSubtotal': rows } = document['cac:TaxTotal'];
  const { lines } = document;
  const total = (name: string) => minor(totals[`cbc:${name}Amount`]);

  expect(total('LineExtension'), 'BR-CO-10').toBe(sum(lines.map((line) => minor(line['cbc:LineExtensionAmount']))));
  // There are no allowances and charges of the whole document.
  expect(total('TaxExclusive'), 'BR-CO-13').toBe(total('LineExtension'));
  expect(minor(tax), 'BR-CO-14').toBe(sum(rows.map((row) => minor(row['cbc:TaxAmount']))));
  expect(total('TaxInclusive'), 'BR-CO-15').toBe(total('TaxExclusive') + minor(tax));
  expect(total('Payable'), 'BR-CO-16').toBe(total('TaxInclusive'));
  expect(rows.length, 'BR-CO-18').toBeGreaterThan(0);
  for (const row of rows) {
    const category = row['cac:TaxCategory'];
    const [base, amount] = [minor(row['cbc:TaxableAmount']), minor(row['cbc:TaxAmount'])];
    const rate = BigInt(Math.round(Number(category['cbc:Percent']) * 100));
    expect(amount, 'BR-CO-17, BR-S-09, BR-Z-09, BR-AE-09, BR-G-09').toBe((base * rate + 5000n) / 10_000n);
    const ofCategory = lines.filter((line) => same(line['cac:Item']['cac:ClassifiedTaxCategory'], category));
    expect(base, 'BR-S-08, BR-Z-08, BR-AE-08, BR-G-08').toBe(
      sum(ofCategory.map((line) => minor(line['cbc:LineExtensionAmount']))),
    );
    expect(rate > 0n, 'BR-S-05, BR-Z-05, BR-AE-05, BR-G-05').toBe(category['cbc:ID'] === 'S');
    expect(category['cbc:TaxExemptionReasonCode'], 'BR-AE-10, BR-G-10, BR-S-10, BR-Z-10').toBe(
      reasonCodes[category['cbc:ID']],
    );
    expect(category['cbc:TaxExemptionReason'] !== undefined, 'BR-S-10, BR-Z-10').toBe(
      category['cbc:ID'] in reasonCodes,
    );
    const isTaxed = !(category['cbc:ID'] in reasonCodes);
    const seller = document['cac:AccountingSupplierParty']['cac:Party'];
    expect(isTaxed || seller['cac:PartyTaxScheme'] !== undefined, 'BR-AE-02, BR-G-02').toBe(true);
    expect(isTaxed || rows.length === 1, 'BR-AE-01, BR-G-01').toBe(true);
  }
  for (const line of lines)
    expect(
      rows.filter((row) => same(row['cac:TaxCategory'], line['cac:Item']['cac:ClassifiedTaxCategory'])),
      'BR-S-01, BR-Z-01, BR-AE-01, BR-G-01',
    ).toHaveLength(1);
}

describe('an e-invoice', () => {
  it("keeps the standard's rules about sums, whatever is invoiced or credited", () => {
    fc.assert(
      fc.property(invoices, creditNotes, (invoice, creditNote) => {
        expectRules(read(invoiceXml(invoice)));
        expectRules(read(creditNoteXml(creditNote)));
      }),
      runs,
    );
  });

  it('says what the invoice says', () => {
    const xml = invoiceXml(invoiceOf());

    const document = read(xml);
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Invoice xmlns="urn:oasis/);
    expect(document).toMatchObject({
      'cbc:CustomizationID': 'urn:cen.eu:en16931:2017',
      'cbc:ID': 'INV-2026-000123',
      'cbc:IssueDate': '2026-11-21',
      'cbc:DueDate': '2026-12-21',
      'cbc:InvoiceTypeCode': '380',
      'cbc:DocumentCurrencyCode': 'EUR',
      'cac:OrderReference': { 'cbc:ID': 'PO-7781', 'cbc:SalesOrderID': 'order-1042' },
      'cac:PaymentMeans': {
        'cbc:PaymentMeansCode': '58',
        'cbc:PaymentID': 'INV-2026-000123',
        'cac:PayeeFinancialAccount': {
          'cbc:ID': 'DE02120300000000202051',
          'cac:FinancialInstitutionBranch': { 'cbc:ID': 'BYLADEM1001' },
        },
      },
      'cac:LegalMonetaryTotal': { 'cbc:PayableAmount': { '#text': '42.81', '@_currencyID': 'EUR' } },
    });
    expect(document['cac:TaxTotal']['cac:TaxSubtotal'].map((row) => row['cac:TaxCategory'])).toMatchObject([
      { 'cbc:ID': 'S', 'cbc:Percent': '19' },
      { 'cbc:ID': 'S', 'cbc:Percent': '7' },
    ]);
    expect(document.lines).toMatchObject([
      { 'cbc:ID': '1', 'cbc:InvoicedQuantity': { '#text': '3', '@_unitCode': 'C62' } },
      { 'cbc:ID': '2', 'cac:Item': { 'cbc:Name': 'Sencha, 50 g' } },
    ]);
  });

  it('of a credit note names the invoice', () => {
    expect(read(creditNoteXml(creditNoteOf()))).toMatchObject({
      'cbc:ID': 'CN-2026-000001',
      'cbc:CreditNoteTypeCode': '381',
      'cbc:Note': 'Damaged on the way',
      'cac:BillingReference': {
        'cac:InvoiceDocumentReference': { 'cbc:ID': 'INV-2026-000122', 'cbc:IssueDate': '2026-11-02' },
      },
    });
  });

  it('has one row of category AE where the buyer owes the tax', () => {
    const document = read(invoiceXml(invoiceOf({ reverseCharge: true, lines: [lineOf({ taxRate: 19 })] })));
    expect(document['cac:TaxTotal']['cac:TaxSubtotal']).toMatchObject([
      {
        'cbc:TaxableAmount': { '#text': '36.32' },
        'cbc:TaxAmount': { '#text': '0.00' },
        'cac:TaxCategory': { 'cbc:ID': 'AE', 'cbc:Percent': '0', 'cbc:TaxExemptionReasonCode': 'VATEX-EU-AE' },
      },
    ]);
    expect(document.lines).toMatchObject([
      { 'cac:Item': { 'cac:ClassifiedTaxCategory': { 'cbc:ID': 'AE', 'cbc:Percent': '0' } } },
    ]);
  });

  it('has one row of category G where it leaves the EU, with the country of the buyer', () => {
    const { buyer, seller } = invoiceOf();
    const given = { taxTreatment: 'export', buyer: { ...buyer, country: 'CH' } } as const;
    const document = read(invoiceXml(invoiceOf(given)));
    expect(document['cac:TaxTotal']['cac:TaxSubtotal']).toMatchObject([
      {
        'cbc:TaxableAmount': { '#text': '36.32' },
        'cbc:TaxAmount': { '#text': '0.00' },
        'cac:TaxCategory': {
          'cbc:ID': 'G',
          'cbc:Percent': '0',
          'cbc:TaxExemptionReasonCode': 'VATEX-EU-G',
          'cbc:TaxExemptionReason': 'Export outside the EU',
        },
      },
    ]);
    expect(document['cac:AccountingCustomerParty']['cac:Party']['cac:PostalAddress']).toMatchObject({
      'cac:Country': { 'cbc:IdentificationCode': 'CH' },
    });
    expectRules(document);
    expectRules(read(creditNoteXml(creditNoteOf(given))));
    // The list has no code for a seller who is outside of the EU.
    const abroad = read(invoiceXml(invoiceOf({ ...given, seller: { ...seller, country: 'US' } })));
    const [row] = abroad['cac:TaxTotal']['cac:TaxSubtotal'];
    expect(row?.['cac:TaxCategory']).toMatchObject({ 'cbc:ID': 'G', 'cbc:TaxExemptionReason': 'Export' });
    expect(row?.['cac:TaxCategory']).not.toHaveProperty('cbc:TaxExemptionReasonCode');
  });

  it('states the discount of a line as an allowance', () => {
    const [line] = read(invoiceXml(invoiceOf({}, [lineOf({ quantity: 2.5, discount: 48 })]))).lines;
    expect(line).toMatchObject({
      'cbc:InvoicedQuantity': { '#text': '2.5' },
      'cbc:LineExtensionAmount': { '#text': '27.00' },
      'cac:AllowanceCharge': { 'cbc:ChargeIndicator': 'false', 'cbc:Amount': { '#text': '0.48' } },
      'cac:Price': { 'cbc:PriceAmount': { '#text': '10.99' } },
    });
  });

  it('says NA for the number of an order that has only ours, and names no order where there is none', () => {
    expect(read(invoiceXml(invoiceOf({ reference: null })))['cac:OrderReference']).toMatchObject({
      'cbc:ID': 'NA',
      'cbc:SalesOrderID': 'order-1042',
    });
    expect(read(invoiceXml(invoiceOf({ reference: null, orderRef: null })))['cac:OrderReference']).toBeUndefined();
    expect(read(invoiceXml(invoiceOf({ bank: null })))['cac:PaymentMeans']).toBeUndefined();
  });

  it('has nothing to pay where it was paid with its order', () => {
    const document = read(invoiceXml(invoiceOf({ isPrepaid: true })));
    expect(document['cac:LegalMonetaryTotal']).toMatchObject({
      'cbc:TaxInclusiveAmount': { '#text': '42.81' },
      'cbc:PrepaidAmount': { '#text': '42.81' },
      'cbc:PayableAmount': { '#text': '0.00' },
    });
    expect(document['cac:PaymentMeans']).toBeUndefined();
  });

  it('keeps every character that XML has, and leaves the others out', () => {
    const name = `<A> & "B" 'C' ]]> Żółw τσάι 🍵\u0001\ud800\uffff!`;
    const xml = invoiceXml(invoiceOf({}, [lineOf({ description: name })]));
    expect(read(xml).lines[0]?.['cac:Item']['cbc:Name']).toBe(`<A> & "B" 'C' ]]> Żółw τσάι 🍵!`);
  });

  it('writes VAT numbers without blanks, and a number without a country as that of the register', () => {
    const { buyer } = invoiceOf();
    const buyerWith = (vatNumber: string | null) =>
      read(invoiceXml(invoiceOf({ buyer: { ...buyer, vatNumber } })))['cac:AccountingCustomerParty']['cac:Party'];
    expect(buyerWith('nl 1234.567-89 b01')['cac:PartyTaxScheme']).toMatchObject({ 'cbc:CompanyID': 'NL123456789B01' });
    expect(buyerWith('12-345')).not.toHaveProperty('cac:PartyTaxScheme');
    expect(buyerWith('12-345')['cac:PartyLegalEntity']).toMatchObject({ 'cbc:CompanyID': '12-345' });
    expect(buyerWith(null)).not.toHaveProperty('cac:PartyTaxScheme');
  });

  it('has all lines of an address', () => {
    const { buyer } = invoiceOf();
    const address = 'c/o Babbage\n\n 12 St James Square \nWestminster\nLondon';
    const xml = invoiceXml(invoiceOf({ buyer: { ...buyer, address } }));
    expect(read(xml)['cac:AccountingCustomerParty']['cac:Party']['cac:PostalAddress']).toMatchObject({
      'cbc:StreetName': 'c/o Babbage',
      'cbc:AdditionalStreetName': '12 St James Square',
      'cac:AddressLine': { 'cbc:Line': 'Westminster, London' },
    });
  });
});
