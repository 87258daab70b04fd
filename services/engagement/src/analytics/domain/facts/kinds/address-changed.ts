import { accountEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({ change: z.enum(['created', 'changed', 'deleted']), country: z.string() });

/** A user has a new, another or one fewer address. The event doesn't say of which segment the user is. */
export const addressChanged: FactKind<'address-changed', z.infer<typeof data>> = {
  name: 'address-changed',
  data,
  tellers: [
    toldBy(accountEvents.addressChanged, ({ subject, time, data: { change, country } }) => ({
      at: new Date(time),
      segment: 'retail',
      by: { userId: subject },
      data: { change, country },
    })),
  ],
  countsOf: () => [],
  setsOf: active,
};
