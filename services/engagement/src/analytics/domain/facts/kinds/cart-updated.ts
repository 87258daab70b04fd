import { z } from 'zod';
import { active } from '../active.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({});

/** Somebody changed a cart. It makes a user active; no report counts it. */
export const cartUpdated: FactKind<'cart-updated', z.infer<typeof data>> = {
  name: 'cart-updated',
  data,
  tellers: [],
  countsOf: () => [],
  setsOf: active,
};
