/**
 * A time as a part of the name of a measure: two significant digits of it, as a whole number (`130`) or with an exponent (`35e-2`), as a
 * name has no point. Below 0 it is 0: clocks of two machines differ.
 */
export function twoDigits(value: number): string {
  const rounded = Number(Math.max(value, 0).toPrecision(2));
  if (Number.isInteger(rounded)) return String(rounded);
  const [digits = '', exponent] = rounded.toExponential(1).split('e');
  return `${digits.replace('.', '')}e${Number(exponent) - 1}`;
}
