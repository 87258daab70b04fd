import { searchPerformed } from './kinds/search-performed.ts';

/** All kinds of facts, by name. A new kind is a file and a line here. */
export const kinds = {
  'search-performed': searchPerformed,
} as const;
export type FactKindName = keyof typeof kinds;
