import type { Decision } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import type { NewCode } from '../../domain/code.ts';
import { review } from '../../administration/domain/trade-account.ts';
import type { User } from '../../domain/user.ts';
import { prove } from './proved-registration.ts';
import { newRegistration, purposeFor, reportAttempt, sendCodeAgain, useUp, type Registration } from './registration.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1000);
const email = 'ada@example.com';
const details = {
  businessName: 'Engines',
  businessAddress: '1 Mill Lane',
  referralCode: null,
  vatNumber: null,
  companyRegistration: null,
  country: 'GB',
};

const code = (id: string): NewCode => ({ id, sealed: `sealed ${id}`, hashFor: (flow) => `${flow} ${id}` });

function begun(id: string, owner: User | null, changes: Partial<Registration> = {}, seconds = 0) {
  const draft = {
    id,
    email,
    userId: `user_${id}`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone: null,
    passwordHash: `hash of ${id}`,
    passwordTag: 1,
    trade: null,
    purpose: purposeFor(owner, (changes.trade ?? null) !== null),
    ...changes,
  };
  return newRegistration(draft, code(`code of ${id}`), at(seconds));
}

function stateOf<State>(decision: Decision<State, unknown>): State {
  if (decision.kind !== 'changed') throw new Error(`nothing changed: ${decision.kind}`);
  return decision.state;
}
const types = (decision: Decision<unknown, unknown>) =>
  decision.kind === 'unchanged' ? [] : decision.facts.map(({ type }) => type);
const reviewed = (user: User, action: 'reject' | 'request-info' | 'approve') =>
  stateOf(review(user, action, { by: 'user_admin', reason: 'Because.', now: at(30) }));

const consumer = stateOf(prove(null, begun('first', null).registration, at(5)));
const applicant = stateOf(prove(null, begun('trade', null, { trade: details }).registration, at(5)));

describe('a registration', () => {
  it('has a code of its own, kept only as a hash, and lives a day', () => {
    const { registration, facts } = begun('first', null);
    expect(registration).toMatchObject({
      purpose: { kind: 'new' },
      code: { hash: 'first code of first', attempts: 0, expiresAt: at(600) },
      expiresAt: at(86_400),
    });
    expect(facts).toMatchObject([
      {
        type: 'identity.user-registered',
        subject: 'first',
        data: { sealedCode: 'sealed code of first', registeredAt: at(0).toISOString() },
      },
    ]);
  });

  it('of an email with an account becomes nothing and mails nothing', () => {
    const { registration, facts } = begun('second', consumer);
    expect(registration.purpose).toEqual({ kind: 'none' });
    expect(facts).toEqual([]);
    expect(() => useUp(registration, registration.code.id)).toThrow(/code is not valid/);
  });

  it('is used up by its newest code only', () => {
    const { registration } = begun('first', null);
    expect(useUp(registration, 'code of first')).toMatchObject({ kind: 'deleted', result: registration });
    expect(() => useUp(registration, 'another')).toThrow(/code is not valid/);
    expect(() => useUp(null, 'code of first')).toThrow(/code is not valid/);
  });

  it('gets another code in place of the one before, a minute later at the earliest', () => {
    const { registration } = begun('first', null);
    expect(sendCodeAgain(registration, code('2'), at(59)).kind).toBe('unchanged');
    const again = sendCodeAgain(registration, code('2'), at(60));
    expect(types(again)).toEqual(['identity.user-registered']);
    expect(stateOf(again)).toMatchObject({ code: { id: '2', hash: 'first 2', attempts: 0, expiresAt: at(660) } });
    expect(() => useUp(stateOf(again), 'code of first')).toThrow(/code is not valid/);
  });
});

describe('a registration that is proved', () => {
  it('becomes a user with what was registered', () => {
    const decision = prove(null, begun('first', null).registration, at(5));
    expect(types(decision)).toEqual(['identity.user-verified']);
    expect(stateOf(decision)).toMatchObject({
      id: 'user_first',
      role: 'retail',
      status: 'active',
      passwordHash: 'hash of first',
      emailVerifiedAt: at(5),
      createdAt: at(0),
    });
  });

  it('becomes nothing where its user is there already', () => {
    expect(() => prove(consumer, begun('first', null).registration, at(6))).toThrow(/code is not valid/);
  });

  it('of a business becomes an application that waits for staff', () => {
    const { registration, facts } = begun('trade', null, { trade: details });
    expect(facts).toMatchObject([{ data: { codeOnly: false, appliesAgain: false } }]);
    const decision = prove(null, registration, at(5));
    expect(types(decision)).toEqual(['identity.user-verified', 'identity.trade-account-submitted']);
    expect(stateOf(decision)).toMatchObject({ role: 'trade', status: 'pending-approval', trade: details });
  });
});

describe('an applicant who applies again', () => {
  const again = { trade: { ...details, businessName: 'Difference Engines' } };

  it.each(['reject', 'request-info'] as const)(
    'after %s replaces the application by proving it, and only then',
    (action) => {
      const before = reviewed(applicant, action);
      const { registration, facts } = begun('again', before, again, 40);
      expect(registration.purpose).toEqual({ kind: 'again', of: before.id });
      expect(facts).toMatchObject([{ type: 'identity.trade-account-registered', data: { appliesAgain: true } }]);
      const decision = prove(before, registration, at(50));
      expect(types(decision)).toEqual(['identity.trade-account-submitted', 'identity.tokens-revoked']);
      expect(stateOf(decision)).toMatchObject({
        id: before.id,
        status: 'pending-approval',
        passwordHash: 'hash of again',
        tokenVersion: before.tokenVersion + 1,
        trade: { businessName: 'Difference Engines' },
      });
      expect(stateOf(decision).trade?.timeline.map(({ action: name }) => name)).toEqual([
        'submit',
        'verify-email',
        action,
        'submit',
        'verify-email',
      ]);
    },
  );

  it('is too late where the application was decided meanwhile', () => {
    const { registration } = begun('again', reviewed(applicant, 'reject'), again, 40);
    expect(() => prove(reviewed(applicant, 'approve'), registration, at(50))).toThrow(/code is not valid/);
    expect(() => prove(null, registration, at(50))).toThrow(/code is not valid/);
  });

  it.each([
    ['a consumer', consumer],
    ['an applicant who waits', applicant],
    ['an approved account', reviewed(applicant, 'approve')],
  ])('is not %s', (_who, owner) => {
    expect(begun('again', owner, again).registration.purpose).toEqual({ kind: 'none' });
  });
});

describe('the owner of an email that somebody registers', () => {
  it('is informed once an hour', () => {
    const informed = reportAttempt(consumer, 'trade', at(0));
    expect(types(informed)).toEqual(['identity.registration-attempted']);
    expect(reportAttempt(stateOf(informed), 'retail', at(3599)).kind).toBe('unchanged');
    expect(reportAttempt(stateOf(informed), 'retail', at(3600)).kind).toBe('changed');
  });

  it('is not informed while the account is being erased', () => {
    expect(reportAttempt({ ...consumer, status: 'erasing' }, 'retail', at(0)).kind).toBe('unchanged');
    expect(reportAttempt(null, 'retail', at(0)).kind).toBe('unchanged');
  });
});
