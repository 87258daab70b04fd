import type { Decision } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { registerRetail, registerTrade, sendCodeAgain } from './registration.ts';
import type { Registration } from './registration.ts';
import type { User } from './user.ts';
import { confirmEmail } from './verification.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1000);
const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', phone: null, passwordHash: 'one' };
const details = {
  businessName: 'Engines',
  businessAddress: '1 Mill Lane',
  referralCode: null,
  vatNumber: null,
  companyRegistration: null,
};

function code(id: string) {
  return { id, sealed: `sealed ${id}`, hashFor: (user: { registration: string }) => `${user.registration} ${id}` };
}
function registration(id: string, seconds = 0): Registration {
  return { id, userId: 'user_1', code: code(id), now: at(seconds) };
}
function state(decision: { kind: string; state?: User }): User {
  if (!decision.state) throw new Error(`nothing changed: ${decision.kind}`);
  return decision.state;
}
function types(decision: Decision<User, unknown>): string[] {
  return decision.kind === 'unchanged' ? [] : decision.facts.map(({ type }) => type);
}

const fresh = state(registerRetail(null, person, registration('first')));
const verified = state(confirmEmail(fresh, 'first', at(5)));

describe('a registration', () => {
  it('sends a code, kept only as a hash', () => {
    const decision = registerRetail(null, person, registration('first'));
    expect(types(decision)).toEqual(['identity.user-registered']);
    expect(state(decision)).toMatchObject({
      status: 'unverified',
      role: 'retail',
      codes: { verify: { hash: 'first first', attempts: 0, expiresAt: at(600) } },
    });
  });

  it('on an email that is not verified replaces password and names, and invalidates older codes at once', () => {
    const other = { ...person, firstName: 'Eve', passwordHash: 'two' };
    const again = state(registerRetail(fresh, other, registration('second', 1)));
    expect(again).toMatchObject({ firstName: 'Eve', passwordHash: 'two', codes: { verify: { id: 'second' } } });
    expect(() => confirmEmail(again, 'first', at(2))).toThrow(/code is not valid/);
  });

  it('sends five codes an hour and then changes nothing', () => {
    let user = fresh;
    for (const name of ['2', '3', '4', '5']) user = state(registerRetail(user, person, registration(name, 1)));
    const sixth = registerRetail(user, { ...person, passwordHash: 'six' }, registration('6', 3599));
    expect(sixth.kind).toBe('unchanged');
    expect(registerRetail(user, person, registration('6', 3600)).kind).toBe('changed');
  });

  it('on a verified email informs its owner, five times an hour, and changes nothing else', () => {
    let user = verified;
    for (let round = 0; round < 5; round += 1) {
      const decision = registerRetail(user, { ...person, passwordHash: 'two' }, registration(`x${round}`, 10));
      expect(types(decision)).toEqual(['identity.registration-attempted']);
      user = state(decision);
      expect({ ...user, attemptsTold: [] }).toEqual(verified);
    }
    expect(registerRetail(user, person, registration('y', 20)).kind).toBe('unchanged');
    expect(registerTrade(user, person, details, registration('y', 20)).kind).toBe('unchanged');
  });

  it('that is repeated by a client whose answer was lost changes nothing more', () => {
    expect(registerRetail(fresh, person, registration('first', 1)).kind).toBe('unchanged');
    expect(registerRetail(verified, person, registration('first', 10)).kind).toBe('unchanged');
    const reported = state(registerRetail(verified, person, registration('other', 10)));
    expect(registerRetail(reported, person, registration('other', 11)).kind).toBe('unchanged');
    const applied = state(registerTrade(null, person, details, registration('first')));
    expect(registerTrade(applied, person, details, registration('first', 1)).kind).toBe('unchanged');
  });
});

describe('an application for a trade account', () => {
  const applied = state(registerTrade(null, person, details, registration('first')));

  it('waits for approval', () => {
    expect(applied).toMatchObject({ role: 'trade', status: 'pending-approval', trade: { submittedAt: at(0) } });
    expect(applied.trade?.timeline).toEqual([{ at: at(0), by: 'user_1', action: 'submit', reason: null }]);
  });

  it('takes over an email that is not verified', () => {
    expect(state(registerTrade(fresh, person, details, registration('second')))).toMatchObject({ role: 'trade' });
  });

  it.each(['rejected', 'info-requested'] as const)(
    'may come again after it was %s, and the email is verified again',
    (status) => {
      const user = { ...state(confirmEmail(applied, 'first', at(5))), status };
      const again = { ...details, businessName: 'Engines & Sons' };
      const next = state(registerTrade(user, { ...person, passwordHash: 'two' }, again, registration('second', 60)));
      expect(next).toMatchObject({
        status: 'pending-approval',
        passwordHash: 'two',
        emailVerifiedAt: null,
        trade: { businessName: 'Engines & Sons', submittedAt: at(60) },
      });
      expect(next.trade?.timeline.map(({ action }) => action)).toEqual(['submit', 'submit']);
    },
  );

  it('is not touched by another one while it waits', () => {
    expect(types(registerTrade(applied, person, details, registration('x', 1)))).toEqual([
      'identity.registration-attempted',
    ]);
  });
});

describe('sending the code again', () => {
  it('waits a minute, then replaces the older code', () => {
    expect(sendCodeAgain(fresh, code('again'), at(59)).kind).toBe('unchanged');
    const again = state(sendCodeAgain(fresh, code('again'), at(60)));
    expect(again.codes.verify?.id).toBe('again');
  });

  it('does nothing where the email is verified', () => {
    expect(sendCodeAgain(verified, code('again'), at(60)).kind).toBe('unchanged');
  });

  it('says that it is only the code where a trade account has it sent', () => {
    const applied = state(registerTrade(null, person, details, registration('first')));
    expect(sendCodeAgain(applied, code('again'), at(60))).toMatchObject({ facts: [{ data: { codeOnly: true } }] });
  });
});
