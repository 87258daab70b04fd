import type { Store } from '../../store/collections.ts';

/** An invoice of which a step is to be done. */
export interface DueStep {
  readonly id: string;
  readonly accountId: string;
}

/** Reads which invoices have a step whose time has come. */
export interface DueSteps {
  /** At most so many, the earliest step first, without the invoices named in `but`. */
  readonly before: (now: Date, limit: number, but: readonly string[]) => Promise<DueStep[]>;
}

export function openDueSteps({ invoices }: Pick<Store, 'invoices'>): DueSteps {
  return {
    async before(now, limit, but) {
      const found = await invoices.find(
        { nextStepAt: { $gt: new Date(0), $lte: now }, _id: { $nin: [...but] } },
        { order: { nextStepAt: 1, _id: 1 }, limit, hint: 'by_step', fields: ['accountId'] },
      );
      return found.map(({ state }) => state);
    },
  };
}
