import { identityEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({});

/** An application for a trade account was submitted; once more after it was rejected, or after questions, it is another one. */
export const tradeApplicationSubmitted: FactKind<'trade-application-submitted', z.infer<typeof data>> = {
  name: 'trade-application-submitted',
  data,
  tellers: [
    toldBy(identityEvents.tradeAccountSubmitted, ({ subject, time }) => ({
      at: new Date(time),
      segment: 'trade',
      by: { userId: subject },
      data: {},
    })),
  ],
  countsOf: () => [{ family: 'registrations', of: '', measures: { applied: 1 } }],
  setsOf: active,
};
