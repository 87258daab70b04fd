import { z } from 'zod';
import { active } from '../active.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({
  /** Lower case, composed, its spaces single. */
  words: z.string(),
  results: z.int(),
});

/** Somebody searched for words. */
export const searchPerformed: FactKind<'search-performed', z.infer<typeof data>> = {
  name: 'search-performed',
  data,
  tellers: [],
  countsOf: ({ data: { words, results } }) => [
    { family: 'searches', of: words, measures: { times: 1, ...(results === 0 && { withoutResult: 1 }) } },
  ],
  setsOf: active,
};
