import type { Random } from '../../faults/random.ts';

/** Milliseconds of tries for emails of either kind. */
export interface Sides {
  readonly known: number[];
  readonly unknown: number[];
}

/** How far the medians of the sides are apart, as a share of the larger one. */
export function differenceOf({ known, unknown }: Sides): number {
  const medians = [median(known), median(unknown)];
  return 1 - Math.min(...medians) / Math.max(...medians);
}

const lots = 2000;
const rare = 0.001;

/**
 * How far apart the medians would be if the same times had been put on the sides by lot: what one lot in a thousand
 * exceeds (a permutation test). A larger difference than that is hardly chance.
 */
export function differenceByChance({ known, unknown }: Sides, random: Random): number {
  const all = [...known, ...unknown];
  const differences = Array.from({ length: lots }, () => {
    const shuffled = random.shuffle(all);
    return differenceOf({ known: shuffled.slice(0, known.length), unknown: shuffled.slice(known.length) });
  });
  return differences.toSorted((one, other) => other - one)[Math.floor(lots * rare)] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
