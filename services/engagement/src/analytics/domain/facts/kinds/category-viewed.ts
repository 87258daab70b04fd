import { z } from 'zod';
import { active } from '../active.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({ categoryId: z.string() });

/** Somebody looked at a category. It makes a user active; no report counts it. */
export const categoryViewed: FactKind<'category-viewed', z.infer<typeof data>> = {
  name: 'category-viewed',
  data,
  tellers: [],
  countsOf: () => [],
  setsOf: active,
};
