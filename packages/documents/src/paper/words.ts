import type { Locale } from '@storefront/contracts';

/** The words of papers that buyers get in their language. */
export interface PaperWords {
  /** The tag of the language by which `Intl` writes dates and names of countries. */
  readonly tag: string;
  readonly decimalSign: string;
  readonly thousandsSign: string;
  readonly page: (page: number, of: number) => string;
  readonly vatNumber: string;
  readonly confirmation: string;
  readonly packingSlip: string;
  readonly billingAddress: string;
  readonly deliveryAddress: string;
  readonly bothAddresses: string;
  readonly orderNumber: string;
  readonly orderedOn: string;
  readonly reference: string;
  readonly email: string;
  readonly payment: string;
  readonly payments: Readonly<Record<'card' | 'invoice' | 'none', string>>;
  readonly shippingOption: string;
  readonly shippedOn: string;
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly position: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly discount: string;
  readonly vat: string;
  readonly amount: string;
  readonly carriedOver: string;
  readonly broughtForward: string;
  readonly goods: string;
  readonly shipping: (option: string) => string;
  readonly shippingDiscount: string;
  readonly net: string;
  readonly total: string;
  readonly taxOn: (rate: string, net: string) => string;
  readonly taxIncluded: (rate: string, net: string) => string;
  readonly discounts: string;
  readonly reverseCharge: string;
  readonly isNoInvoice: string;
  readonly pieces: string;
}

export const paperWords: Readonly<Record<Locale, PaperWords>> = {
  en: {
    tag: 'en-GB',
    decimalSign: '.',
    thousandsSign: ',',
    page: (page, of) => `Page ${page} of ${of}`,
    vatNumber: 'VAT number',
    confirmation: 'Order confirmation',
    packingSlip: 'Packing slip',
    billingAddress: 'Billing address',
    deliveryAddress: 'Delivery address',
    bothAddresses: 'Billing and delivery address',
    orderNumber: 'Order number',
    orderedOn: 'Ordered on',
    reference: 'Your reference',
    email: 'Email',
    payment: 'Payment',
    payments: { card: 'by card', invoice: 'on account', none: 'nothing to pay' },
    shippingOption: 'Shipping',
    shippedOn: 'Shipped on',
    carrier: 'Carrier',
    trackingNumber: 'Tracking number',
    position: 'No.',
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Unit price',
    discount: 'Discount',
    vat: 'VAT',
    amount: 'Amount',
    carriedOver: 'Carried over',
    broughtForward: 'Brought forward',
    goods: 'Goods',
    shipping: (option) => `Shipping: ${option}`,
    shippingDiscount: 'Discount on shipping',
    net: 'Net',
    total: 'Total',
    taxOn: (rate, net) => `VAT ${rate} on ${net}`,
    taxIncluded: (rate, net) => `including VAT ${rate} on ${net}`,
    discounts: 'Discounts that are taken off above',
    reverseCharge: 'Reverse charge: the recipient is liable for the tax (Article 196, Directive 2006/112/EC).',
    isNoInvoice: 'This confirmation is not an invoice.',
    pieces: 'Pieces',
  },
  de: {
    tag: 'de',
    decimalSign: ',',
    thousandsSign: '.',
    page: (page, of) => `Seite ${page} von ${of}`,
    vatNumber: 'USt-IdNr.',
    confirmation: 'Bestellbestätigung',
    packingSlip: 'Lieferschein',
    billingAddress: 'Rechnungsadresse',
    deliveryAddress: 'Lieferadresse',
    bothAddresses: 'Rechnungs- und Lieferadresse',
    orderNumber: 'Bestellnummer',
    orderedOn: 'Bestellt am',
    reference: 'Ihr Zeichen',
    email: 'E-Mail',
    payment: 'Zahlung',
    payments: { card: 'mit Karte', invoice: 'auf Rechnung', none: 'nichts zu zahlen' },
    shippingOption: 'Versandart',
    shippedOn: 'Versendet am',
    carrier: 'Versand durch',
    trackingNumber: 'Sendungsnummer',
    position: 'Pos.',
    description: 'Bezeichnung',
    quantity: 'Menge',
    unitPrice: 'Einzelpreis',
    discount: 'Rabatt',
    vat: 'USt.',
    amount: 'Betrag',
    carriedOver: 'Übertrag',
    broughtForward: 'Übertrag',
    goods: 'Waren',
    shipping: (option) => `Versand: ${option}`,
    shippingDiscount: 'Rabatt auf den Versand',
    net: 'Netto',
    total: 'Gesamtbetrag',
    taxOn: (rate, net) => `USt. ${rate} auf ${net}`,
    taxIncluded: (rate, net) => `darin USt. ${rate} auf ${net}`,
    discounts: 'Rabatte, die oben abgezogen sind',
    reverseCharge:
      'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge, Artikel 196 der Richtlinie 2006/112/EG).',
    isNoInvoice: 'Diese Bestätigung ist keine Rechnung.',
    pieces: 'Stück',
  },
};
