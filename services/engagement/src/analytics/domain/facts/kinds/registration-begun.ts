import { identityEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({});

/**
 * A registration begins. A code that is sent again is no further one, and has a higher sequence; an applicant who applies once more is
 * known already. Nobody is a user yet.
 */
export const registrationBegun: FactKind<'registration-begun', z.infer<typeof data>> = {
  name: 'registration-begun',
  data,
  tellers: [
    toldBy(identityEvents.userRegistered, ({ sequence, time, data: { registeredAt } }) =>
      sequence === 1 ? { at: new Date(registeredAt ?? time), segment: 'retail', by: null, data: {} } : null,
    ),
    toldBy(identityEvents.tradeAccountRegistered, ({ sequence, time, data: { registeredAt, appliesAgain } }) =>
      sequence === 1 && appliesAgain !== true
        ? { at: new Date(registeredAt ?? time), segment: 'trade', by: null, data: {} }
        : null,
    ),
  ],
  countsOf: () => [{ family: 'registrations', of: '', measures: { begun: 1 } }],
  setsOf: () => [],
};
