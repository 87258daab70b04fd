import { controlChanges } from '@storefront/contracts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { newUser, type User } from '../../domain/user.ts';
import { dropAddedFactors, putFactorsBack } from '../../factors/domain/undo.ts';
import { putAccountBack } from './undo.ts';
import type { Factors, Passkey } from '../../factors/domain/factors.ts';
import { addPasskey, removePasskey } from '../../factors/domain/passkeys.ts';
import { replaceRecoveryCodes } from '../../factors/domain/recovery-codes.ts';
import { confirmTotp, removeTotp } from '../../factors/domain/totp.ts';
import {
  newChange,
  openChanges,
  recordChange,
  type ControlChangeKind,
  type ControlHistory,
} from '../../factors/domain/control-change.ts';

// A thief who is logged in with the owner's password and factors changes what controls the account, in any order, and the owner
// takes it back by one of three ways: the link of any mail about a change that came to their mailbox, that of the mail about a
// changed email, or a reset of the password by mail. Played on the decisions alone.

const start = new Date('2026-11-21T09:30:00.000Z');
const hourMs = 60 * 60 * 1000;
type Party = 'owner' | 'thief';
const mailboxOf = (email: string): Party => (email.startsWith('thief') ? 'thief' : 'owner');

class Account {
  now = start;
  user: User;
  factors: Factors | null = null;
  history: ControlHistory | null = null;
  readonly links: { readonly hash: string; readonly kind: ControlChangeKind; readonly to: Party }[] = [];
  made = 0;

  constructor() {
    const applicant = { email: 'owner@example.com', firstName: 'Ada', lastName: 'L', phone: null };
    this.user = newUser('user_1', { ...applicant, passwordHash: 'password of owner' }, start, start);
  }

  private record(kind: ControlChangeKind): void {
    const account = { user: this.user, factors: this.factors };
    const hash = `link ${(this.made += 1)}`;
    const recorded = recordChange(this.history, this.user.id, newChange(hash, kind, account, this.now));
    if (recorded.kind === 'changed') this.history = recorded.state;
    if (recorded.result) this.links.push({ hash, kind, to: mailboxOf(this.user.email) });
  }

  /** A change by whoever has a session; what is refused changes nothing. */
  change(kind: ControlChangeKind, by: Party): void {
    const before = { history: this.history, links: this.links.length };
    const id = `of ${by} ${(this.made += 1)}`;
    try {
      this.record(kind);
      this.decide(kind, by, id);
    } catch {
      this.history = before.history;
      this.links.length = before.links;
    }
  }

  private decide(kind: ControlChangeKind, by: Party, id: string): void {
    const { factors, user, now } = this;
    const hashes = [`code ${id}`];
    if (kind === 'email-changed') this.user = { ...user, email: `${by}-${this.made}@example.com` };
    else if (kind === 'password-changed') this.user = { ...user, passwordHash: `password of ${by}` };
    else {
      const decision = {
        'totp-added': () => {
          const pending = { sealed: id, sessionId: 's', expiresAt: now };
          const base = factors ?? {
            id: user.id,
            totp: null,
            recoveryCodes: [],
            passkeys: [],
            codeTries: [],
            triesInRow: 0,
          };
          return confirmTotp(
            { ...base, pendingTotp: pending },
            user,
            { sealed: id, step: 1, newHashes: hashes },
            null,
            now,
          );
        },
        'totp-removed': () => removeTotp(factors, user, false, null),
        'passkey-added': () => addPasskey(factors, user, passkey(id, now), hashes, null),
        'passkey-removed': () => removePasskey(factors, user, factors?.passkeys[0]?.id ?? '', false, null),
        'recovery-codes-made': () => replaceRecoveryCodes(factors, user, hashes, null),
      }[kind]();
      if (decision.kind === 'changed') this.factors = decision.state;
    }
  }

  /** Undoes by a link; returns whether it still worked. */
  undo(hash: string): boolean {
    const [first, ...later] = openChanges(this.history, this.now);
    if (!first || ![first, ...later].some((change) => change.id === hash)) return false;
    const user = putAccountBack(this.user, [first, ...later], 'password of nobody', this.now);
    if (user.kind === 'changed') this.user = user.state;
    const factors = putFactorsBack(this.factors, this.user.id, [first, ...later]);
    if (factors.kind === 'changed') this.factors = factors.state;
    this.history = null;
    return true;
  }

  reset(by: Party): void {
    if (mailboxOf(this.user.email) !== by) return;
    const factors = dropAddedFactors(this.factors, openChanges(this.history, this.now));
    if (factors.kind === 'changed') this.factors = factors.state;
    this.user = { ...this.user, passwordHash: `password of ${by}` };
  }

  /** What of the account is the thief's. */
  ofThief(): string[] {
    const { totp, passkeys = [], recoveryCodes = [] } = this.factors ?? {};
    return [
      this.user.email,
      this.user.passwordHash,
      totp?.sealed ?? '',
      ...passkeys.map(({ id }) => id),
      ...recoveryCodes.map(({ hash }) => hash),
    ].filter((what) => what.includes('thief'));
  }

  kept() {
    const { totp = null, passkeys = [], recoveryCodes = [] } = this.factors ?? {};
    return { totp, passkeys, recoveryCodes };
  }
}

function passkey(id: string, createdAt: Date): Passkey {
  const fields = { publicKey: '', counter: 0, transports: [], backedUp: false, lastUsedAt: null };
  return { id, name: id, credentialId: id, createdAt, ...fields };
}

const kind = fc.constantFrom(...controlChanges);
const ownersKind = fc.constantFrom(...controlChanges.filter((each) => each !== 'email-changed'));
const thiefsStep = fc.oneof(kind, fc.constant('reset' as const));
const runs = { numRuns: inject('isProof') ? 10_000 : 300 };
const steps = [fc.array(ownersKind, { maxLength: 6 }), fc.array(thiefsStep, { minLength: 1, maxLength: 40 })] as const;

/** What a thief leaves of an account, what it was before, and the links that came to its owner and still work. */
function afterThief(owners: readonly ControlChangeKind[], thiefs: readonly (ControlChangeKind | 'reset')[]) {
  const account = new Account();
  for (const step of owners) account.change(step, 'owner');
  // What the owner has is older than what can be undone.
  account.now = new Date(start.getTime() + 8 * 24 * hourMs);
  const before = account.kept();
  const { email } = account.user;
  for (const step of thiefs) {
    if (step === 'reset') account.reset('thief');
    else account.change(step, 'thief');
    account.now = new Date(account.now.getTime() + hourMs);
  }
  const mailed = account.links.filter(({ to, hash }) => to === 'owner' && isOpen(account, hash));
  return { account, before, email, mailed };
}

it.each([
  ['a changed email', ['email-changed']],
  ['a new factor', ['passkey-added', 'totp-added']],
  ['any other change', ['password-changed', 'totp-removed', 'passkey-removed', 'recovery-codes-made']],
])('the owner gets the account back by the link in the mail about %s, and the thief keeps nothing', (_what, about) => {
  fc.assert(
    fc.property(...steps, (owners, thiefs) => {
      const { account, before, email, mailed } = afterThief(owners, thiefs);
      const link = mailed.find((each) => about.includes(each.kind));
      fc.pre(link !== undefined);
      expect(account.undo(link.hash)).toBe(true);
      expect(account.ofThief()).toEqual([]);
      expect(account.user).toMatchObject({ email, passwordHash: 'password of nobody' });
      expect(account.kept()).toEqual(before);
      // No link works any more, the thief's own ones least of all.
      expect(account.links.filter(({ hash }) => account.undo(hash))).toEqual([]);
    }),
    runs,
  );
});

it('the owner gets the account back by a reset by mail, and the thief keeps nothing', () => {
  fc.assert(
    fc.property(...steps, (owners, thiefs) => {
      const { account, email } = afterThief(owners, thiefs);
      fc.pre(account.user.email === email);
      account.reset('owner');
      expect(account.ofThief()).toEqual([]);
      expect(account.user).toMatchObject({ email, passwordHash: 'password of owner' });
    }),
    runs,
  );
});

it('where the thief has changed the email too, the owner gets it back by a link and then a reset', () => {
  fc.assert(
    fc.property(...steps, (owners, thiefs) => {
      const { account, before, email, mailed } = afterThief(owners, thiefs);
      fc.pre(account.user.email !== email);
      expect(account.undo(mailed[0]?.hash ?? '')).toBe(true);
      account.reset('owner');
      expect(account.user).toMatchObject({ email, passwordHash: 'password of owner' });
      expect(account.kept()).toEqual(before);
    }),
    runs,
  );
});

it('a reset by mail drops no factor that is older than the changes', () => {
  fc.assert(
    fc.property(fc.array(ownersKind, { maxLength: 6 }), (owners) => {
      const account = new Account();
      for (const step of owners) account.change(step, 'owner');
      account.now = new Date(start.getTime() + 8 * 24 * hourMs);
      const before = account.kept();
      account.reset('owner');
      expect(account.kept()).toEqual(before);
    }),
    runs,
  );
});

it('no number of changes pushes the first link out', () => {
  const account = new Account();
  for (let index = 0; index < 60; index += 1)
    account.change(index % 2 === 0 ? 'passkey-added' : 'password-changed', 'thief');
  expect(account.history?.changes).toHaveLength(25);
  expect(account.undo(account.links[0]?.hash ?? '')).toBe(true);
  expect(account.ofThief()).toEqual([]);
});

function isOpen(account: Account, hash: string): boolean {
  return openChanges(account.history, account.now).some(({ id }) => id === hash);
}
