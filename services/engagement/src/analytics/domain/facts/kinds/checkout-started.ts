import { z } from 'zod';
import { active } from '../active.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({});

/** Somebody began to check out: a step of the funnel. */
export const checkoutStarted: FactKind<'checkout-started', z.infer<typeof data>> = {
  name: 'checkout-started',
  data,
  tellers: [],
  countsOf: () => [],
  setsOf: active,
};
