import type { Fact } from './fact.ts';

type WithData = Pick<Fact, 'kind' | 'data'>;

/** The searched text. null for facts that are not searches, and where the text is not kept. */
export function textOf({ kind, data }: WithData): string | null {
  return kind === 'search-performed' ? (data as { readonly words: string | null }).words : null;
}

/**
 * Returns the fact without any text that a person wrote. A search still counts, among the searches whose text is not
 * shown.
 */
export function withoutTexts<Each extends WithData>(fact: Each): Each {
  if (fact.kind === 'search-performed') return { ...fact, data: { ...(fact.data as object), words: null } };
  return fact.kind === 'custom' ? { ...fact, data: { name: null, properties: {} } } : fact;
}
