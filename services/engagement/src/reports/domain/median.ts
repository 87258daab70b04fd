import type { Measures } from '../../roll-ups/domain/roll-ups.ts';

/** The median of the values that are counted as `<name>:<value>`, the mean of the two in the middle; null where there is none. */
export function medianOf(measures: Measures, name: string): number | null {
  const prefix = `${name}:`;
  const counted: { readonly value: number; readonly times: number }[] = [];
  let total = 0;
  // Without arrays in between: a report has hundreds of rows, each of hundreds of measures.
  for (const measure in measures) {
    const times = measures[measure] ?? 0;
    if (times <= 0 || !measure.startsWith(prefix)) continue;
    counted.push({ value: Number(measure.slice(prefix.length)), times });
    total += times;
  }
  if (total === 0) return null;
  counted.sort((one, other) => one.value - other.value);

  function valueAt(place: number): number {
    let left = place;
    for (const { value, times } of counted) {
      if (left < times) return value;
      left -= times;
    }
    return Number.NaN;
  }
  return (valueAt(Math.floor((total - 1) / 2)) + valueAt(Math.floor(total / 2))) / 2;
}
