import type { Answer } from '@storefront/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { password, startIdentity, type IdentityHarness } from './harness.ts';
import type { createAuthenticator } from './authenticator.ts';
import { secondFactors } from './second-factors.ts';

// A thief and the owner of an account, who both log in by what they have, change what controls it in any order; then the owner takes
// it back by the mails that came to their mailbox. As thief-and-owner.unit.test.ts, by the API and with fewer sequences.

let identity: IdentityHarness;
let people: ReturnType<typeof secondFactors>;
beforeAll(async () => {
  identity = await startIdentity({}, 'in-process');
  people = secondFactors(identity);
});
afterAll(() => identity.close());

type Party = 'owner' | 'thief';
const actions = [
  'add-passkey',
  'remove-passkeys',
  'add-totp',
  'remove-totp',
  'make-recovery-codes',
  'change-password',
  'change-email',
  'reset-password',
] as const;
type Action = (typeof actions)[number];
const dayS = 24 * 60 * 60;
/** After it nobody is refused because of wrong passwords that came before. */
const quarterHourS = 15 * 60;
let made = 0;

/** What one party has of an account: everything that they may log in with. */
class Belongings {
  token = '';
  readonly passwords: string[] = [];
  readonly authenticators: ReturnType<typeof createAuthenticator>[] = [];
  readonly secrets: string[] = [];
  readonly recoveryCodes: string[] = [];
}

class Account {
  readonly userId: string;
  readonly firstEmail: string;
  readonly owner: Belongings;
  readonly thief = new Belongings();
  email: string;
  /** How many mails had been sent before the thief came, to anybody: their links work no more. */
  mailsBefore = 0;

  private constructor(userId: string, email: string, owner: Belongings) {
    this.userId = userId;
    this.firstEmail = this.email = email;
    this.owner = owner;
  }

  /** An account whose owner has some factors for longer than a week, and whose thief has its password and some recovery codes. */
  static async open(factor: 'none' | 'passkey' | 'totp'): Promise<Account> {
    const email = `owner-${(made += 1)}@one.example`;
    const { accessToken, user } = await identity.member(email);
    const owner = new Belongings();
    owner.token = accessToken;
    owner.passwords.push(password);
    const account = new Account(user.id, email, owner);
    if (factor === 'passkey') await account.act('owner', 'add-passkey');
    if (factor === 'totp') await account.act('owner', 'add-totp');
    account.thief.passwords.push(password);
    account.thief.recoveryCodes.push(...owner.recoveryCodes.splice(0, 5));
    identity.advance(7 * dayS + 60);
    await identity.idle();
    account.mailsBefore = identity.events.length;
    await account.enter(account.thief);
    if (account.thief.token === '') throw new Error('The thief was not let in.');
    return account;
  }

  /**
   * Logs the party in by whatever it has, one after the other, the newest password first: after some wrong ones the right one is
   * refused, too. Returns what let it in. Where nothing does, its token stays.
   */
  async enter(party: Belongings): Promise<string | null> {
    const { post } = identity;
    const isIn = ({ body }: Answer): boolean => {
      party.token = body.accessToken ?? party.token;
      return Boolean(body.accessToken);
    };
    for (const authenticator of party.authenticators) {
      const { body: options } = await post('/v1/auth/passkeys/login/options');
      const response = authenticator.get({ challenge: options.challenge }, this.userId);
      if (isIn(await post('/v1/auth/passkeys/login', { response }))) return 'a passkey';
    }
    for (const given of party.passwords.toReversed()) {
      const login = await people.logIn(this.email, given);
      if (isIn(login)) return given;
      if (login.body.code !== 'mfa_required') continue;
      const { mfaToken } = login.body;
      for (const secret of party.secrets)
        if (isIn(await people.verify({ mfaToken, code: people.codeOf(secret) }))) return 'an authenticator app';
      for (const recoveryCode of party.recoveryCodes)
        if (isIn(await people.verify({ mfaToken, recoveryCode }))) return 'a recovery code';
    }
    return null;
  }

  /** What the party does; where it is refused, nothing. */
  async act(by: Party, action: Action): Promise<void> {
    const party = this[by];
    const { post, call } = identity;
    identity.advance(quarterHourS);
    await this.enter(party);
    // A code of an authenticator app is taken once.
    identity.advance(30);
    const as = party.token;
    if (action === 'add-passkey') {
      const added = await people.addPasskey(as).catch(() => undefined);
      if (added) party.authenticators.push(added.authenticator);
      party.recoveryCodes.push(...(added?.recoveryCodes ?? []));
    } else if (action === 'add-totp') {
      const added = await people.addTotp(as).catch(() => undefined);
      if (added) party.secrets.push(added.secret);
      party.recoveryCodes.push(...(added?.recoveryCodes ?? []));
    } else if (action === 'remove-totp') {
      await call('DELETE', '/v1/auth/mfa/totp', { as });
    } else if (action === 'remove-passkeys') {
      const { passkeys = [] } = (await call('GET', '/v1/auth/passkeys', { as })).body;
      for (const { id } of passkeys) await call('DELETE', `/v1/auth/passkeys/${id}`, { as });
    } else if (action === 'make-recovery-codes') {
      const { body } = await post('/v1/auth/mfa/recovery-codes', undefined, as);
      party.recoveryCodes.push(...(body.recoveryCodes ?? []));
    } else if (action === 'change-password') {
      const newPassword = `a new secret of the ${by} ${(made += 1)}`;
      const currentPassword = party.passwords.at(-1);
      const { status } = await post('/v1/auth/password/change', { currentPassword, newPassword }, as);
      if (status === 200) party.passwords.push(newPassword);
    } else if (action === 'change-email') {
      const email = `${by}-${(made += 1)}@two.example`;
      const { status, body } = await post('/v1/users/me/email', { email }, as);
      if (status !== 202) return;
      const code = await identity.codeOf(email, 1, 'identity.email-change-requested');
      const proof = { emailChangeId: body.emailChangeId, code };
      if ((await post('/v1/users/me/email/confirm', proof, as)).status === 200) this.email = email;
    } else if (this.email.startsWith(by) || (by === 'owner' && this.email === this.firstEmail)) {
      party.passwords.push(await this.resetPassword(`a reset of the ${by} ${(made += 1)}`));
    }
  }

  async resetPassword(newPassword: string): Promise<string> {
    const { recoveryId, code } = await identity.recovery(this.email);
    const answer = await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return newPassword;
  }

  /** The codes of the links in mails that came to the owner's mailbox, the oldest first. */
  async links(): Promise<string[]> {
    const types = new Set(['identity.second-factor-changed', 'identity.password-changed', 'identity.email-changed']);
    const mails = identity.events
      .slice(this.mailsBefore)
      .filter(({ type, subject }) => types.has(type) && subject === this.userId)
      .filter(({ data }) => !String(data.previousEmail ?? data.email).startsWith('thief') && data.sealedCode);
    const opened = await Promise.all(mails.map((mail) => identity.opened(mail)));
    return opened.flatMap(({ link }) => link ?? []);
  }

  /** What identifies the factors: the sealed secret of TOTP, ids of passkeys, and hashes of recovery codes. */
  async factors(): Promise<string[]> {
    const found = await identity.collection('factors').findOne({ _id: this.userId });
    const passkeys: { id: string }[] = found?.passkeys ?? [];
    const recoveryCodes: { hash: string }[] = found?.recoveryCodes ?? [];
    return [found?.totp?.sealed ?? [], passkeys.map(({ id }) => id), recoveryCodes.map(({ hash }) => hash)].flat();
  }
}

const step = fc.tuple(fc.constantFrom<Party>('thief', 'thief', 'owner'), fc.constantFrom(...actions));
const runs = { numRuns: inject('isProof') ? 100 : 6, endOnFailure: true };

it('whatever both do, the owner gets the account back by mail and the thief keeps nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('none' as const, 'passkey' as const, 'totp' as const),
      fc.array(step, { minLength: 1, maxLength: 7 }),
      // By which of the links; or by none, where the email is still the owner's.
      fc.option(fc.nat()),
      async (factor, steps, choice) => {
        const account = await Account.open(factor);
        const before = await account.factors();
        for (const [by, action] of steps) await account.act(by, action);
        await identity.idle();
        const links = await account.links();
        const link =
          choice === null && !account.email.startsWith('thief') ? undefined : links[(choice ?? 0) % links.length];
        if (link !== undefined) {
          const { status, body } = await identity.post('/v1/auth/changes/revert', { token: link });
          if (status !== 200) throw new Error(JSON.stringify(body));
          account.email = account.firstEmail;
        }
        if (account.email.startsWith('thief')) throw new Error('no mail about the changed email came to the owner');
        account.owner.passwords.push(await account.resetPassword('the owner has it back'));
        identity.advance(quarterHourS);
        const after = await account.factors();
        // A reset drops what was added, and a link also puts back what was removed.
        const kept = link === undefined ? before.filter((factor) => after.includes(factor)) : before;
        expect(after).toEqual(kept);
        expect(await account.enter(account.thief)).toBe(null);
        // The gateway knows revoked tokens; identity itself takes none for a change.
        expect((await identity.post('/v1/auth/mfa/totp', undefined, account.thief.token)).status).not.toBe(200);
        identity.advance(quarterHourS);
        expect(await account.enter(account.owner)).not.toBe(null);
      },
    ),
    runs,
  );
});
