import { newId, system } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { logIn } from '../src/accounts/commands/log-in.ts';
import type { AccountNeeds } from '../src/accounts/commands/account-needs.ts';
import type { FactorNeeds } from '../src/factors/commands/factor-needs.ts';
import { logInByPasskey } from '../src/factors/commands/log-in-by-passkey.ts';
import { verifySecondFactor } from '../src/factors/commands/second-factor-login.ts';
import { checkPassword, type PasswordCheckNeeds } from '../src/sessions/commands/check-password.ts';

const now = new Date('2026-11-30T10:00:00Z');
const userId = newId('user');
const device = { device: 'Firefox', ip: null, deviceToken: null };
const userOf = (password: string, tokenVersion: number) => ({
  id: userId,
  email: 'ada@one.example',
  role: 'retail',
  status: 'active',
  passwordHash: `hash of ${password}`,
  tokenVersion,
});

/**
 * A database whose reads show a former user until it has acknowledged a write, as that of a primary which was just
 * elected. `opened` has the token version of each session that was opened.
 */
function afterElection() {
  let hasWritten = false;
  const opened: number[] = [];
  const written =
    <Answer>(answer: Answer) =>
    async () => {
      hasWritten = true;
      return answer;
    };
  const users = {
    load: async () => ({ state: hasWritten ? userOf('new', 2) : userOf('former', 1) }),
  };
  const open = async (user: { tokenVersion: number }) => opened.push(user.tokenVersion);
  const passwordNeeds = {
    users,
    now: () => now,
    knownClients: { find: async () => ({ client: 'network', isKnown: false }) },
    loginThrottle: { begin: written({ id: 'attempt' }), succeeded: written(null), failed: written(1) },
    passwords: { verify: async (hash: string | null, password: string) => hash === `hash of ${password}` },
  } as unknown as PasswordCheckNeeds;
  const needs = {
    users,
    now: () => now,
    emails: { ownerOf: async () => userId },
    registrations: { findNewest: async () => null },
    passwordTags: { of: () => [] },
    auditLog: { notingRefusal: async (work: () => Promise<unknown>) => work(), record: written(null) },
    sessions: { open, checkPassword: checkPassword.bind(null, passwordNeeds) },
  };
  const passkey = { id: 'a passkey' };
  const factors = {
    load: async () => ({ state: { id: userId, passkeys: [{ credentialId: passkey.id }] } }),
    change: written({ result: null }),
    openSessionByOneFactor: open,
  };
  const factorNeeds = {
    ...needs,
    factors,
    newMfaTokens: { hashOf: () => 'hash of the token' },
    mfaTokens: {
      find: async () => ({ userId, ver: 2, device: device.device }),
      countTry: written(true),
      use: written(true),
    },
    challenges: { use: written(true) },
    webauthn: { userOf: () => userId, challengeOf: () => 'a challenge', verifyAnswer: async () => ({}) },
  } as unknown as FactorNeeds;
  return { accountNeeds: { ...needs, factors } as unknown as AccountNeeds, factorNeeds, passkey, opened };
}

const given = { email: 'ada@one.example', password: 'new' };

it('logs in by the present password, with the present token version', async () => {
  const { accountNeeds, opened } = afterElection();
  await logIn(accountNeeds, given, device, system);
  expect(opened).toEqual([2]);
});

it('refuses the former password', async () => {
  const { accountNeeds, opened } = afterElection();
  const refused = logIn(accountNeeds, { ...given, password: 'former' }, device, system);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(opened).toEqual([]);
});

it('logs in by a second factor with the present token version', async () => {
  const { factorNeeds, passkey, opened } = afterElection();
  await verifySecondFactor(factorNeeds, { mfaToken: 'a token', passkey: passkey as never }, device, system);
  expect(opened).toEqual([2]);
});

it('logs in by a passkey with the present token version', async () => {
  const { factorNeeds, passkey, opened } = afterElection();
  await logInByPasskey(factorNeeds, passkey as never, device, system);
  expect(opened).toEqual([2]);
});
