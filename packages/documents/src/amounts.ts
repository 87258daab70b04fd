import { toDecimal } from '@storefront/money';

/** How numbers are written in a language. */
export interface NumberSigns {
  readonly decimalSign: string;
  readonly thousandsSign: string;
}

const english: NumberSigns = { decimalSign: '.', thousandsSign: ',' };

/** An amount in major units, written for people: 123456 euro cents are `1,234.56` in English. */
export function shown(amount: number, currency: string, signs: NumberSigns = english): string {
  return written(toDecimal({ amount, currency }), signs);
}

/** A quantity, written for people, without zeros at the end: `1,000.5` in English. */
export function shownQuantity(quantity: number, signs: NumberSigns = english): string {
  return written(plainQuantity(quantity), signs);
}

/** A quantity, written for programs, with at most three decimals: `1000.5`. */
export function plainQuantity(quantity: number): string {
  return String(Number(quantity.toFixed(3)));
}

function written(number: string, { decimalSign, thousandsSign }: NumberSigns): string {
  const [whole = '', fraction] = number.split('.');
  const thousands = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, thousandsSign);
  return fraction === undefined ? thousands : `${thousands}${decimalSign}${fraction}`;
}
