import { exponentOf } from '@storefront/money';

/** An amount in major units without a sign for thousands, as programs read it: 123456 euro cents are `1234.56`. */
export function inMajor(amount: number, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent);
  return `${amount < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The same as people read it: `1,234.56`. */
export function shown(amount: number, currency: string): string {
  return grouped(inMajor(amount, currency));
}

/** A quantity as people read it: without zeros at its end, `1,000.5`. */
export function shownQuantity(quantity: number): string {
  return grouped(plainQuantity(quantity));
}

/** A quantity as programs read it, with three decimals at most: `1000.5`. */
export function plainQuantity(quantity: number): string {
  return String(Number(quantity.toFixed(3)));
}

function grouped(number: string): string {
  const [whole = '', fraction] = number.split('.');
  const thousands = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}
