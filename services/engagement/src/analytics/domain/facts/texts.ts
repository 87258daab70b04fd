import type { Fact } from './fact.ts';

type WithData = Pick<Fact, 'kind' | 'data'>;

/** The text of a search; null for other facts, and where the text is not kept. */
export function textOf({ kind, data }: WithData): string | null {
  return kind === 'search-performed' ? (data as { readonly words: string | null }).words : null;
}

/** The fact without any text that a person wrote. It counts as before, among other texts. */
export function withoutTexts<Each extends WithData>(fact: Each): Each {
  if (fact.kind === 'search-performed') return { ...fact, data: { ...(fact.data as object), words: null } };
  return fact.kind === 'custom' ? { ...fact, data: { name: null, properties: {} } } : fact;
}
