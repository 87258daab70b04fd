import { identityEvents, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { StatedFact } from '../fact.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({
  verdict: z.enum(['approved', 'rejected']),
  /** From the application on; null where nobody knows when it was submitted. */
  hours: z.number().nullable(),
});
type Decided = z.infer<typeof data>;

const hourMs = 60 * 60_000;

/** An administrator approved or rejected an application for a trade account. */
export const tradeApplicationDecided: FactKind<'trade-application-decided', Decided> = {
  name: 'trade-application-decided',
  data,
  tellers: [
    toldBy(identityEvents.tradeAccountApproved, (event) => decided('approved', event)),
    toldBy(identityEvents.tradeAccountRejected, (event) => decided('rejected', event)),
  ],
  countsOf: ({ data: { verdict, hours } }) => [
    { family: 'registrations', of: '', measures: { [verdict]: 1 }, ...(hours !== null && { value: hours }) },
  ],
  setsOf: () => [],
};

function decided(
  verdict: Decided['verdict'],
  { subject, time, data: { submittedAt } }: EventOf<typeof identityEvents.tradeAccountApproved>,
): StatedFact<Decided> {
  const hours = submittedAt === undefined ? null : (Date.parse(time) - Date.parse(submittedAt)) / hourMs;
  return { at: new Date(time), segment: 'trade', by: { userId: subject }, data: { verdict, hours } };
}
