import { accountEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ change: z.enum(['created', 'changed', 'ordered-for']), by: z.enum(['user', 'order']) });

/** A user has another saved recipient, or ordered for one. The event doesn't say of which segment the user is. */
export const customerSaved: FactKind<'customer-saved', z.infer<typeof data>> = {
  name: 'customer-saved',
  data,
  tellers: [
    toldBy(accountEvents.customerSaved, ({ time, data: { userId, change, by } }) => ({
      at: new Date(time),
      segment: 'retail',
      by: { userId },
      data: { change, by },
    })),
  ],
  countsOf: () => [],
  setsOf: active,
};
