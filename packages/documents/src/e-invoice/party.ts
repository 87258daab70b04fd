import type { billingEvents } from '@storefront/contracts';
import { text, type Element } from './text.ts';

type Party = billingEvents.DocumentParty;

/** A business as a party of an e-invoice. */
export function partyXml(party: Party): Element {
  const { businessName, country } = party;
  const given = text(party.vatNumber ?? '').trim();
  const vatNumber = given.replaceAll(/[\s.-]/g, '').toUpperCase();
  // In an e-invoice, a VAT number must begin with a country's prefix (BR-CO-09). A number without a prefix is given as
  // the registration number of the business instead.
  const isVat = /^[A-Z]{2}/.test(vatNumber);
  return {
    'cac:PostalAddress': { ...addressXml(party), 'cac:Country': { 'cbc:IdentificationCode': country } },
    ...(isVat ? { 'cac:PartyTaxScheme': { 'cbc:CompanyID': vatNumber, 'cac:TaxScheme': { 'cbc:ID': 'VAT' } } } : {}),
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': text(businessName),
      ...(given === '' || isVat ? {} : { 'cbc:CompanyID': given }),
    },
  };
}

/** The standard has only three lines for an address. All text below the second line goes into the third one. */
function addressXml({ address }: Party): Element {
  const lines = text(address)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first, second, ...rest] = lines;
  return {
    ...(first === undefined ? {} : { 'cbc:StreetName': first }),
    ...(second === undefined ? {} : { 'cbc:AdditionalStreetName': second }),
    ...(rest.length === 0 ? {} : { 'cac:AddressLine': { 'cbc:Line': rest.join(', ') } }),
  };
}
