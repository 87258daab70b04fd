import type { FactStore } from '../store/fact-store.ts';

/** The facts of a user, for the export, in parts. */
export async function* collectFacts(facts: Pick<FactStore, 'of'>, userId: string): AsyncGenerator<object, void> {
  for await (const page of facts.of({ userId })) yield { analytics: page };
}
