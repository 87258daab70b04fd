import type { Measures } from '../../roll-ups/domain/roll-ups.ts';

/** The median of the values that are counted as `<name>:<value>`, the mean of the two in the middle; null where there is none. */
export function medianOf(measures: Measures, name: string): number | null {
  const counted = Object.entries(measures)
    .filter(([measure, times]) => measure.startsWith(`${name}:`) && times > 0)
    .map(([measure, times]) => ({ value: Number(measure.slice(name.length + 1)), times }))
    .toSorted((one, other) => one.value - other.value);
  const total = counted.reduce((sum, { times }) => sum + times, 0);
  if (total === 0) return null;

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
