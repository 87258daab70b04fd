import { z } from 'zod';
import { active } from '../active.ts';
import type { FactKind } from '../kind.ts';

const data = z.object({
  /** null of an erased user, of whom nothing else is kept either. */
  name: z.string().nullable(),
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** What a shop tells for purposes of its own. It makes a user active; no report counts it. */
export const custom: FactKind<'custom', z.infer<typeof data>> = {
  name: 'custom',
  data,
  tellers: [],
  countsOf: () => [],
  setsOf: active,
};
