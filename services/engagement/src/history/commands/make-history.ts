import type { FactStore } from '../../analytics/store/fact-store.ts';
import { historyOf, type HistoryPlan } from '../domain/history.ts';
import type { HistoryFact } from '../domain/story.ts';

/** How far it has come: how many facts were made so far, and how many of them were not there yet. */
export interface HistoryProgress {
  readonly made: number;
  readonly added: number;
}

const atOnce = 2000;

/**
 * Stores the facts of the plan by `store`. They are made as they are stored, so that any number of them fits into memory. Those that
 * are there already stay as they are, so it can be broken off and begun again.
 */
export async function makeHistory(
  { store, now }: { readonly store: FactStore['take']; readonly now: () => Date },
  plan: HistoryPlan,
  onProgress: (progress: HistoryProgress) => void,
): Promise<HistoryProgress> {
  let progress = { made: 0, added: 0 };
  for (const part of partsOf(historyOf(plan))) {
    const toldAt = now();
    const added = await store(part.map((fact) => ({ ...fact, toldAt })));
    progress = { made: progress.made + part.length, added: progress.added + added.filter(Boolean).length };
    onProgress(progress);
  }
  return progress;
}

/** The same facts, so many at once. */
function* partsOf(history: Iterable<readonly HistoryFact[]>): Generator<readonly HistoryFact[]> {
  let part: HistoryFact[] = [];
  for (const facts of history) {
    for (const fact of facts) {
      part.push(fact);
      if (part.length < atOnce) continue;
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}
