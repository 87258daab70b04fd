import type { Decision } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctCountry, resubmit, review, transitions, type ReviewAction } from './trade-account.ts';
import { newUser, type User } from '../../domain/user.ts';
import { withApplication } from '../../domain/trade-account.ts';

const now = new Date('2026-11-21T09:30:00.000Z');
const earlier = new Date('2026-11-21T09:20:00.000Z');
const details = {
  businessName: 'Analytical Engines',
  businessAddress: '1 Mill Lane',
  referralCode: null,
  vatNumber: null,
  companyRegistration: null,
  country: 'GB',
};
const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', phone: null, passwordHash: 'hash' };
const applicant = withApplication(newUser('user_1', person, earlier, now), details, earlier, now);
const actions = Object.keys(transitions) as ReviewAction[];

function stateOf(decision: Decision<User, unknown>): User {
  if (decision.kind !== 'changed') throw new Error(`nothing changed: ${decision.kind}`);
  return decision.state;
}

function after(user: User, ...actions: ReviewAction[]): User {
  return actions.reduce(
    (current, action) => stateOf(review(current, action, { by: 'user_admin', reason: 'because', now })),
    user,
  );
}

/** The user without a change where the action is refused. */
function tryTo(user: User, action: ReviewAction): User {
  try {
    return after(user, action);
  } catch {
    return user;
  }
}

describe('a trade account', () => {
  it.each([
    [['approve'], 'approved'],
    [['reject'], 'rejected'],
    [['request-info'], 'info-requested'],
    [['approve', 'suspend'], 'suspended'],
    [['approve', 'suspend', 'reinstate'], 'approved'],
  ] as const)('is after %j %s', (actions, status) => {
    expect(after(applicant, ...actions).status).toBe(status);
  });

  it('has an event with its reason, and when the application was submitted', () => {
    const decision = review(applicant, 'reject', { by: 'user_admin', reason: 'No such company.', now });
    expect(decision).toMatchObject({
      kind: 'changed',
      facts: [
        {
          type: 'identity.trade-account-rejected',
          data: { reason: 'No such company.', submittedAt: earlier.toISOString() },
        },
      ],
    });
  });

  it('says of an application that was submitted again when that was', () => {
    const again = resubmit(after(applicant, 'request-info'), {}, now);
    const decision = review(stateOf(again), 'approve', { by: 'user_admin', reason: null, now });
    expect(decision).toMatchObject({ facts: [{ data: { submittedAt: now.toISOString() } }] });
  });

  it('says in each event what stands on its invoices', () => {
    const before = {
      approve: [],
      reject: [],
      'request-info': [],
      suspend: ['approve'],
      reinstate: ['approve', 'suspend'],
    };
    for (const action of actions) {
      const decision = review(after(applicant, ...(before[action] as ReviewAction[])), action, {
        by: 'user_admin',
        reason: null,
        now,
      });
      const [reviewed] = decision.kind === 'changed' ? decision.facts : [];
      expect(reviewed?.data).toMatchObject({
        businessName: 'Analytical Engines',
        business: { name: 'Analytical Engines', address: '1 Mill Lane', vatNumber: null, country: 'GB' },
      });
    }
  });

  it('is not approved while its country is unknown, unless the administrator names it', () => {
    const unknown = withApplication(newUser('user_1', person, earlier, now), { ...details, country: null }, now, now);
    const by = { by: 'user_admin', reason: null, now };
    expect(() => review(unknown, 'approve', by)).toThrow(expect.objectContaining({ code: 'country_required' }));
    expect(stateOf(review(unknown, 'reject', by)).trade?.country).toBeNull();
    expect(review(unknown, 'approve', { ...by, country: 'US' })).toMatchObject({
      state: { status: 'approved', trade: { country: 'US' } },
      facts: [{ data: { business: { country: 'US' } } }],
    });
    expect(stateOf(review(applicant, 'approve', { ...by, country: 'IE' })).trade?.country).toBe('IE');
  });

  it('has its country corrected at any time, with an event for who keeps a copy', () => {
    const suspended = after(applicant, 'approve', 'suspend');
    expect(correctCountry(after(applicant, 'approve'), 'CH', now)).toMatchObject({
      state: { status: 'approved', trade: { country: 'CH' } },
      facts: [
        {
          type: 'identity.trade-account-changed',
          data: { isApproved: true, business: { name: 'Analytical Engines', country: 'CH' } },
        },
      ],
    });
    expect(correctCountry(suspended, 'CH', now)).toMatchObject({ facts: [{ data: { isApproved: false } }] });
    expect(correctCountry(applicant, 'GB', now).kind).toBe('unchanged');
    expect(() => correctCountry(newUser('user_2', person, now, now), 'CH', now)).toThrow(/no such trade account/);
  });

  it('reads its country anew from what is submitted again, and keeps it where that says none', () => {
    const waiting = after(applicant, 'request-info');
    expect(stateOf(resubmit(waiting, { vatNumber: 'NL123456789B01' }, now)).trade?.country).toBe('NL');
    expect(stateOf(resubmit(waiting, { businessAddress: '2 Mill Lane' }, now)).trade?.country).toBe('GB');
    expect(stateOf(resubmit(waiting, { country: 'US', vatNumber: 'NL123456789B01' }, now)).trade?.country).toBe('US');
  });

  it('loses all tokens when it is suspended', () => {
    const suspended = after(applicant, 'approve', 'suspend');
    expect(suspended.tokenVersion).toBe(applicant.tokenVersion + 1);
    expect(suspended.tokensRevokedAt).toEqual(now);
  });

  it('is none where the user is a consumer', () => {
    const consumer = newUser('user_2', person, now, now);
    expect(() => review(consumer, 'approve', { by: 'user_admin', reason: null, now })).toThrow(/no such trade account/);
  });

  it('follows the table of transitions only, and every step is in its timeline', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...actions), { maxLength: 12 }), (tried) => {
        const allowed: ReviewAction[] = [];
        let user = applicant;
        for (const action of tried) {
          const before = user;
          user = tryTo(before, action);
          const isAllowed = before.status === transitions[action].from;
          expect(user.status).toBe(isAllowed ? transitions[action].to : before.status);
          if (isAllowed) allowed.push(action);
        }
        expect(user.trade?.timeline.map(({ action }) => action)).toEqual(['submit', 'verify-email', ...allowed]);
      }),
    );
  });

  it('names who did what and when: the application was submitted before its email was verified', () => {
    expect(applicant.trade).toMatchObject({
      submittedAt: earlier,
      timeline: [
        { at: earlier, by: 'user_1', action: 'submit' },
        { at: now, by: 'user_1', action: 'verify-email' },
      ],
    });
  });

  it('is submitted again by an applicant who was requested to send more, with the fields that are left out as they were', () => {
    const waiting = after(applicant, 'request-info');
    const decision = resubmit(waiting, { vatNumber: 'NL1', note: 'Here it is.' }, now);
    expect(decision).toMatchObject({
      kind: 'changed',
      facts: [{ type: 'identity.trade-account-submitted', subject: 'user_1' }],
      state: {
        status: 'pending-approval',
        phone: null,
        trade: { ...details, vatNumber: 'NL1', submittedAt: now },
      },
    });
    expect(decision.kind === 'changed' && decision.state.trade?.timeline.at(-1)).toEqual({
      at: now,
      by: 'user_1',
      action: 'resubmit',
      reason: 'Here it is.',
    });
    expect(() => resubmit(applicant, { vatNumber: 'NL1' }, now)).toThrow(/does not take the action resubmit/);
    expect(() => resubmit({ ...waiting, trade: null }, {}, now)).toThrow(/no such trade account/);
  });

  it('refuses what its status does not allow', () => {
    expect(() => after(applicant, 'reinstate')).toThrow(/pending-approval does not take the action reinstate/);
  });
});
