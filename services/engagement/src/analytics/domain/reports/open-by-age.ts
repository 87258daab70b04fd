import type { Measures } from '../roll-ups/roll-ups.ts';

/** The open amounts of invoices, in minor units, by the number of days that they are overdue. */
export interface OpenByAge {
  readonly openCurrent: number;
  readonly open1To30: number;
  readonly open31To60: number;
  readonly open61To90: number;
  readonly openOver90: number;
}

export const nothingOpen: OpenByAge = { openCurrent: 0, open1To30: 0, open31To60: 0, open61To90: 0, openOver90: 0 };

/** Adds up the open amounts of invoices. */
export interface OpenSums {
  /** Adds sums of the family `receivables`. */
  add(measures: Measures): void;
  byAge(): OpenByAge;
}

export function collectOpen(): OpenSums {
  const sums = { open: 0, open1: 0, open31: 0, open61: 0, open91: 0 };
  return {
    add({ open = 0, open1 = 0, open31 = 0, open61 = 0, open91 = 0 }) {
      sums.open += open;
      sums.open1 += open1;
      sums.open31 += open31;
      sums.open61 += open61;
      sums.open91 += open91;
    },

    // Each sum contains everything that is overdue for at least that many days, so it contains the older amounts, too.
    // The difference of two sums is one age group.
    byAge: () => ({
      openCurrent: sums.open - sums.open1,
      open1To30: sums.open1 - sums.open31,
      open31To60: sums.open31 - sums.open61,
      open61To90: sums.open61 - sums.open91,
      openOver90: sums.open91,
    }),
  };
}
