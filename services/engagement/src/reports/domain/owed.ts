import type { Day } from '@storefront/calendar';
import type { Measures } from '../../roll-ups/domain/roll-ups.ts';

/** What is owed, in minor units, by how many days it is overdue. */
export interface OwedByAge {
  readonly openCurrent: number;
  readonly open1To30: number;
  readonly open31To60: number;
  readonly open61To90: number;
  readonly openOver90: number;
}

export const nothingOwed: OwedByAge = { openCurrent: 0, open1To30: 0, open31To60: 0, open61To90: 0, openOver90: 0 };

/** What is owed after all that was added to it. */
export interface Owed {
  /** Adds what `open:<day>` says: by how much there is more of what is owed and due on that day. Other measures are nothing to it. */
  add(measures: Measures): void;
  /** An invoice is overdue on the day after the one on which it is due. */
  byAge(today: Day): OwedByAge;
}

const open = 'open:';
const dayMs = 24 * 60 * 60 * 1000;

export function collectOwed(): Owed {
  const byName = new Map<string, { readonly due: number; amount: number }>();
  return {
    add(measures) {
      for (const name in measures) {
        const change = measures[name] ?? 0;
        const known = byName.get(name);
        if (known) known.amount += change;
        else if (name.startsWith(open)) byName.set(name, { due: Date.parse(name.slice(open.length)), amount: change });
      }
    },

    byAge(today) {
      const now = Date.parse(today);
      const owed = { ...nothingOwed };
      for (const { due, amount } of byName.values()) {
        const overdue = (now - due) / dayMs;
        if (overdue > 90) owed.openOver90 += amount;
        else if (overdue > 60) owed.open61To90 += amount;
        else if (overdue > 30) owed.open31To60 += amount;
        else if (overdue > 0) owed.open1To30 += amount;
        else owed.openCurrent += amount;
      }
      return owed;
    },
  };
}
