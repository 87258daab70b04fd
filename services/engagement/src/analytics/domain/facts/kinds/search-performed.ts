import { z } from 'zod';
import { active } from '../active.ts';
import type { FactKind } from '../kind.ts';
import { measuresOfSearch } from '../measures-of-search.ts';
import { otherTexts } from '../search-text.ts';

const data = z.object({
  /** Folded, its spaces single. null where it is not kept. */
  words: z.string().nullable(),
  results: z.int(),
});

/** Somebody searched for words. */
export const searchPerformed: FactKind<'search-performed', z.infer<typeof data>> = {
  name: 'search-performed',
  data,
  tellers: [],
  // Among all searches, and among those whose text is not shown: to be shown moves it from these to its text.
  countsOf: ({ data: { results } }) =>
    ['', otherTexts].map((of) => ({ family: 'searches', of, measures: measuresOfSearch(results) })),
  setsOf: active,
};
