import type { Fact } from './fact.ts';

type WithData = Pick<Fact, 'kind' | 'data'>;

/** What somebody searched for, where the fact is such one and has it. */
export function textOf({ kind, data }: WithData): string | null {
  return kind === 'search-performed' ? (data as { readonly words: string | null }).words : null;
}

/** The fact without anything that somebody has written. It counts as before, among other texts. */
export function withoutTexts<Each extends WithData>(fact: Each): Each {
  if (fact.kind === 'search-performed') return { ...fact, data: { ...(fact.data as object), words: null } };
  return fact.kind === 'custom' ? { ...fact, data: { name: null, properties: {} } } : fact;
}
