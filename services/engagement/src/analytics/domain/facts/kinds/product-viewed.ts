import { z } from 'zod';
import { active } from '../active.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({ productId: z.string() });

/** Somebody looked at a product. */
export const productViewed: FactKind<'product-viewed', z.infer<typeof data>> = {
  name: 'product-viewed',
  data,
  tellers: [],
  countsOf: ({ data: { productId } }) => [{ family: 'productInterest', of: productId, measures: { views: 1 } }],
  setsOf: (fact) => [...active(fact), { set: 'viewers', of: '' }],
};
