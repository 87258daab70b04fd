import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, submitted, transitions } from './trade.ts';
import type { Verdict } from './trade.ts';
import { newUser } from './user.ts';
import type { User } from './user.ts';

const now = new Date('2026-11-21T09:30:00.000Z');
const details = {
  businessName: 'Analytical Engines',
  businessAddress: '1 Mill Lane',
  referralCode: null,
  vatNumber: null,
  companyRegistration: null,
};
const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', phone: null, passwordHash: 'hash' };
const applicant = submitted(newUser('user_1', person, 'first', now), details, now);
const verdicts = Object.keys(transitions) as Verdict[];

function after(user: User, ...actions: Verdict[]): User {
  return actions.reduce((current, action) => {
    const decision = judge(current, action, { by: 'user_admin', reason: 'because', now });
    if (decision.kind !== 'changed') throw new Error('a verdict always changes something');
    return decision.state;
  }, user);
}

/** The user as they were where the verdict is refused. */
function tryTo(user: User, action: Verdict): User {
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

  it('is told about with its reason', () => {
    const decision = judge(applicant, 'reject', { by: 'user_admin', reason: 'No such company.', now });
    expect(decision).toMatchObject({
      kind: 'changed',
      facts: [{ type: 'identity.trade-account-rejected', data: { reason: 'No such company.' } }],
    });
  });

  it('loses all tokens when it is suspended', () => {
    const suspended = after(applicant, 'approve', 'suspend');
    expect(suspended.tokenVersion).toBe(applicant.tokenVersion + 1);
    expect(suspended.tokensRevokedAt).toEqual(now);
  });

  it('is none where a consumer is meant', () => {
    const consumer = newUser('user_2', person, 'first', now);
    expect(() => judge(consumer, 'approve', { by: 'user_admin', reason: null, now })).toThrow(/no such trade account/);
  });

  it('only ever takes the way the table shows, and every step is in its timeline', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...verdicts), { maxLength: 12 }), (tried) => {
        const taken: Verdict[] = [];
        let user = applicant;
        for (const action of tried) {
          const before = user;
          user = tryTo(before, action);
          const isTaken = before.status === transitions[action].from;
          expect(user.status).toBe(isTaken ? transitions[action].to : before.status);
          if (isTaken) taken.push(action);
        }
        expect(user.trade?.timeline.map(({ action }) => action)).toEqual(['submit', ...taken]);
      }),
    );
  });

  it('refuses what its status does not take', () => {
    expect(() => after(applicant, 'reinstate')).toThrow(/pending-approval does not take the action reinstate/);
  });
});
