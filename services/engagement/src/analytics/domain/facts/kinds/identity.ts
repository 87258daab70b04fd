import { identityEvents, isStaff, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import type { FactDraft, Segment } from '../fact.ts';
import { factKind, from, user } from '../kind.ts';

const nothing = z.object({});
const decision = z.object({
  verdict: z.enum(['approved', 'rejected']),
  /** The hours from the application to the decision. */
  hours: z.number(),
});
type Decision = z.infer<typeof decision>;

const hourMs = 60 * 60_000;

export const identityFacts = {
  /**
   * A registration began. A code that is sent again has a higher sequence and does not count as another registration.
   * An applicant who applies again is known already and is not counted again. There is no user yet, so the fact has no
   * person.
   */
  'registration-begun': factKind({
    data: nothing,
    events: [
      from(identityEvents.userRegistered, ({ sequence, data: { registeredAt } }) =>
        sequence === 1 ? begun(registeredAt, 'retail') : null,
      ),
      from(identityEvents.tradeAccountRegistered, ({ sequence, data: { registeredAt, appliesAgain } }) =>
        sequence === 1 && !appliesAgain ? begun(registeredAt, 'trade') : null,
      ),
    ],
    countsOf: () => [counted('begun')],
  }),

  /** A new user proved their email address. */
  'user-verified': factKind({
    data: nothing,
    events: [
      from(identityEvents.userVerified, ({ subject, time, data: { role } }) =>
        isStaff(role) ? null : { at: new Date(time), segment: role, by: user(subject), data: {} },
      ),
    ],
    countsOf: () => [counted('verified')],
    isActivity: true,
  }),

  /**
   * Somebody applied for a trade account. An application after a rejection, or after questions, counts as another
   * application.
   */
  'trade-application-submitted': factKind({
    data: nothing,
    events: [
      from(identityEvents.tradeAccountSubmitted, ({ subject, time }) => ({
        at: new Date(time),
        segment: 'trade',
        by: user(subject),
        data: {},
      })),
    ],
    countsOf: () => [counted('applied')],
    isActivity: true,
  }),

  /** Staff approved or rejected an application for a trade account. */
  'trade-application-decided': factKind({
    data: decision,
    events: [
      from(identityEvents.tradeAccountApproved, (event) => decided('approved', event)),
      from(identityEvents.tradeAccountRejected, (event) => decided('rejected', event)),
    ],
    countsOf: ({ data: { verdict, hours } }) => [{ ...counted(verdict), value: hours }],
  }),
};

function begun(at: string, segment: Segment): FactDraft<object> {
  return { at: new Date(at), segment, by: null, data: {} };
}

function counted(measure: string): Count {
  return { family: 'registrations', of: '', measures: { [measure]: 1 } };
}

function decided(
  verdict: Decision['verdict'],
  { subject, time, data: { submittedAt } }: EventOf<typeof identityEvents.tradeAccountApproved>,
): FactDraft<Decision> {
  const hours = (Date.parse(time) - Date.parse(submittedAt)) / hourMs;
  return { at: new Date(time), segment: 'trade', by: user(subject), data: { verdict, hours } };
}
