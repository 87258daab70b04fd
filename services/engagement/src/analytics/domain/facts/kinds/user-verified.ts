import { identityEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({});

/** Somebody proved an email and is a user now. */
export const userVerified: FactKind<'user-verified', z.infer<typeof data>> = {
  name: 'user-verified',
  data,
  tellers: [
    toldBy(identityEvents.userVerified, ({ subject, time, data: { role } }) =>
      role === 'admin' ? null : { at: new Date(time), segment: role, by: { userId: subject }, data: {} },
    ),
  ],
  countsOf: () => [{ family: 'registrations', of: '', measures: { verified: 1 } }],
  setsOf: active,
};
