import { describe, expect, it } from 'vitest';
import type { Proof } from '../../domain/caller.ts';
import { newUser } from '../../domain/user.ts';
import {
  factorRules,
  hasSecondFactor,
  methodsOf,
  noFactors,
  reportGuessing,
  summaryOf,
  type Factors,
  type Passkey,
} from './factors.ts';
import { assertFreshProof } from './fresh-proof.ts';
import { addPasskey, removePasskey, usePasskey } from './passkeys.ts';
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { beginTotp, confirmTotp, pendingSecret, removeTotp, useTotp } from './totp.ts';
import { roleOfSession } from '../../domain/session-role.ts';

const now = new Date('2026-11-22T10:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', phone: null, passwordHash: 'h' };
const user = newUser('user_1', person, now, now);
const admin = { ...user, role: 'admin' as const };

const withTotp: Factors = {
  ...noFactors(user.id),
  totp: { sealed: 's', confirmedAt: now, lastStep: 10 },
  recoveryCodes: [
    { hash: 'a', usedAt: null },
    { hash: 'b', usedAt: now },
  ],
};
const passkey: Passkey = {
  id: 'pkey_1',
  name: 'Laptop',
  credentialId: 'c',
  publicKey: 'k',
  counter: 0,
  transports: [],
  backedUp: false,
  createdAt: now,
  lastUsedAt: null,
};
const throws = (work: () => unknown) => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};
const stateOf = (decision: { kind: string; state?: Factors }): Factors => {
  if (!decision.state) throw new Error(`nothing was changed: ${decision.kind}`);
  return decision.state;
};

describe('an authenticator app', () => {
  const setup = { userId: user.id, sessionId: 'sess_1', sealed: 's' };
  const begun = stateOf(beginTotp(null, setup, now));

  it('counts for nothing before it is confirmed', () => {
    expect(hasSecondFactor(begun)).toBe(false);
    expect(methodsOf(begun)).toEqual([]);
    expect(pendingSecret(begun, 'sess_1', now)).toBe('s');
    for (const [session, at] of [
      ['sess_2', now],
      ['sess_1', later(600)],
    ] as const)
      expect(() => pendingSecret(begun, session, at)).toThrow('not valid');
  });

  it('brings recovery codes as the first factor only', () => {
    const confirmation = { sealed: 's', step: 3, newHashes: ['x', 'y'] };
    expect(confirmTotp(begun, user, confirmation, null, now)).toMatchObject({
      result: true,
      state: { totp: { lastStep: 3 }, pendingTotp: null, recoveryCodes: [{ hash: 'x' }, { hash: 'y' }] },
      facts: [{ data: { change: 'totp-added', recoveryCodesLeft: 2 } }],
    });
    const another = stateOf(beginTotp(withTotp, setup, now));
    const replaced = confirmTotp(another, user, confirmation, null, now);
    expect(replaced).toMatchObject({ result: false, state: { recoveryCodes: [{ hash: 'a' }, { hash: 'b' }] } });
    expect(() => confirmTotp(begun, user, { ...confirmation, sealed: 'other' }, null, now)).toThrow('not valid');
  });

  it('is proved by codes of later steps only', () => {
    for (const step of [9, 10]) expect(() => useTotp(withTotp, 's', step)).toThrow('not valid');
    const tried = { ...withTotp, codeTries: [now], triesInRow: 4 };
    expect(stateOf(useTotp(tried, 's', 11))).toMatchObject({ totp: { lastStep: 11 }, codeTries: [], triesInRow: 0 });
  });

  it('can be the last factor of staff who need one', () => {
    expect(() => removeTotp(withTotp, admin, true, null)).toThrow('Staff need');
    expect(stateOf(removeTotp(withTotp, user, false, null))).toMatchObject({ totp: null, recoveryCodes: [] });
    const both = { ...withTotp, passkeys: [passkey] };
    expect(stateOf(removeTotp(both, admin, true, null)).recoveryCodes).toHaveLength(2);
  });
});

describe('recovery codes', () => {
  it('work once each', () => {
    expect(methodsOf(withTotp)).toEqual(['totp', 'recovery-code']);
    const used = stateOf(useRecoveryCode(withTotp, user, 'a', now));
    expect(summaryOf(used).recoveryCodesLeft).toBe(0);
    expect(methodsOf(used)).toEqual(['totp']);
    for (const hash of ['a', 'b', 'c']) expect(() => useRecoveryCode(used, user, hash, now)).toThrow('not valid');
  });

  it('are nothing without a factor', () => {
    const left = { ...withTotp, totp: null };
    expect(() => useRecoveryCode(left, user, 'a', now)).toThrow('not valid');
    expect(() => replaceRecoveryCodes(left, user, ['x'], null)).toThrow('no second factor');
  });
});

describe('passkeys', () => {
  it('are twenty at most, each once', () => {
    const full = {
      ...noFactors(user.id),
      passkeys: Array.from({ length: 20 }, (_, n) => ({ ...passkey, credentialId: `${n}` })),
    };
    expect(() => addPasskey(full, user, passkey, [], null)).toThrow('20 passkeys');
    expect(() => addPasskey({ ...full, passkeys: [passkey] }, user, passkey, [], null)).toThrow('registered already');
  });

  it.each([
    [0, 0, true],
    [5, 6, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ])('with the counter %i take the counter %i: %s', (known, counter, isTaken) => {
    const factors = { ...noFactors(user.id), passkeys: [{ ...passkey, counter: known }] };
    const use = () => usePasskey(factors, { credentialId: 'c', counter, backedUp: true }, now);
    const outcome = () => stateOf(use()).passkeys[0]?.counter;
    expect(isTaken ? outcome() === counter : throws(outcome)).toBe(true);
  });

  it('are deleted by id', () => {
    const factors = { ...withTotp, passkeys: [passkey] };
    expect(stateOf(removePasskey(factors, user, 'pkey_1', true, null)).passkeys).toEqual([]);
    expect(() => removePasskey(factors, user, 'pkey_2', false, null)).toThrow('no such passkey');
    expect(() => removePasskey(null, user, 'pkey_1', false, null)).toThrow('no such passkey');
  });
});

describe('wrong codes in a row', () => {
  it.each([
    [0, 0],
    [9, 0],
    [10, 1],
    [11, 0],
    [20, 1],
  ])('%i of them are %i mails', (triesInRow, mails) => {
    const decision = reportGuessing({ ...withTotp, triesInRow }, user);
    expect(decision.kind === 'changed' ? decision.facts : []).toHaveLength(mails);
    expect(factorRules.triesInRow % factorRules.tries).toBe(0);
  });
});

describe('a fresh proof', () => {
  const isFresh = (proof: Proof | null, factors: Factors | null, at: Date) => {
    try {
      assertFreshProof(proof, factors, at);
      return true;
    } catch {
      return false;
    }
  };

  it('is one of the last five minutes, by the second factor where there is one', () => {
    const byPassword = { authenticatedAt: now, secondFactorAt: null };
    expect(isFresh(byPassword, null, later(299))).toBe(true);
    expect(isFresh(byPassword, null, later(300))).toBe(false);
    expect(isFresh(byPassword, withTotp, now)).toBe(false);
    expect(isFresh({ ...byPassword, secondFactorAt: now }, withTotp, later(299))).toBe(true);
    expect(isFresh({ ...byPassword, secondFactorAt: now }, withTotp, later(300))).toBe(false);
    expect(isFresh(null, null, now)).toBe(false);
    expect(() => assertFreshProof(null, null, now)).toThrow('Prove once more');
  });

  it('decides what staff who need a second factor may do', () => {
    expect(roleOfSession(admin, { secondFactorAt: null }, 'required')).toBe('enrolling');
    expect(roleOfSession(admin, { secondFactorAt: now }, 'required')).toBe('admin');
    expect(roleOfSession(admin, { secondFactorAt: null }, 'optional')).toBe('admin');
    expect(roleOfSession({ ...user, role: 'support' }, { secondFactorAt: null }, 'required')).toBe('enrolling');
    expect(roleOfSession(user, { secondFactorAt: null }, 'required')).toBe('retail');
  });
});
