import { exponentOf, fromDecimal, toDecimal } from '@storefront/money';

/** How a file writes amounts: in the shop's currency, with this sign before the decimals. */
export interface AmountForm {
  readonly currency: string;
  readonly decimalSign: '.' | ',';
}

const grouped = /^[1-9]\d{0,2}(?:([.,' \u00a0\u202f’])\d{3})(?:\1\d{3})*$/u;

/**
 * Reads an amount as people and spreadsheets write it: `1299`, `19,99`, `1.299,00`, `1 299.00 €`. Returns the amount in minor
 * units, or what is wrong, to follow the value in a sentence. Only what can be read in one way is read: `1.299` may be a
 * thousand times more than it says.
 */
export function readAmount(
  text: string,
  { currency, decimalSign }: AmountForm,
): { readonly amount: number } | { readonly wrong: string } {
  const example = (amount: string) => amount.replace('.', decimalSign);
  const exponent = exponentOf(currency);
  const wrong = `is not an amount in ${currency}, such as ${example(exponent === 0 ? '19' : `19.${'9'.repeat(exponent)}`)}`;
  const number = withoutCurrency(text.trim(), currency);
  const marks = [...number.matchAll(/[.,]/g)].map(([mark]) => mark);
  const last = marks.at(-1);
  const isRepeated = marks.length > 1 && marks[0] === last;
  // The last of two different signs comes before the decimals. A sign that stands twice is between thousands.
  const [whole = '', decimals] = last === undefined || isRepeated ? [number] : splitAtLast(number, last);
  if (
    decimals?.length === 3 &&
    marks.length === 1 &&
    /^[1-9]\d{0,2}$/.test(whole) &&
    !(exponent === 3 && last === decimalSign)
  )
    return {
      wrong: `can mean ${whole}${decimals} as well as ${whole}.${decimals}: write all decimals, such as ${example(toDecimal({ amount: Number(`${whole}${decimals}`) * 10 ** exponent, currency }))}`,
    };
  const digits = /^\d+$/.test(whole) ? whole : grouped.test(whole) ? whole.replaceAll(/\D/g, '') : undefined;
  if (digits === undefined || decimals === '') return { wrong };
  const amount = fromDecimal(decimals === undefined ? digits : `${digits}.${decimals}`, currency);
  return amount === undefined ? { wrong } : { amount };
}

function splitAtLast(text: string, sign: string): [string, string] {
  const at = text.lastIndexOf(sign);
  return [text.slice(0, at), text.slice(at + 1)];
}

// Spreadsheets write the sign of a currency as the cell shows it.
function withoutCurrency(text: string, currency: string): string {
  if (/^\d[\d.,]*$/.test(text)) return text;
  const sign = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value;
  for (const name of [currency, sign ?? currency]) {
    if (text.startsWith(name)) return text.slice(name.length).trim();
    if (text.endsWith(name)) return text.slice(0, -name.length).trim();
  }
  return text;
}
