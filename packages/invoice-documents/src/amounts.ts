import { toDecimal } from '@storefront/money';

/** An amount in major units, written for people: 123456 euro cents are `1,234.56`. */
export function shown(amount: number, currency: string): string {
  return grouped(toDecimal({ amount, currency }));
}

/** A quantity, written for people, without zeros at the end: `1,000.5`. */
export function shownQuantity(quantity: number): string {
  return grouped(plainQuantity(quantity));
}

/** A quantity, written for programs, with at most three decimals: `1000.5`. */
export function plainQuantity(quantity: number): string {
  return String(Number(quantity.toFixed(3)));
}

function grouped(number: string): string {
  const [whole = '', fraction] = number.split('.');
  const thousands = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}
