import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newUser } from '../../domain/user.ts';
import type { User } from '../../domain/user.ts';
import { dropAddedFactors, putAccountBack, putFactorsBack } from './undo.ts';
import type { Factors, Passkey } from '../../factors/domain/factors.ts';
import { addPasskey, removePasskey } from '../../factors/domain/passkeys.ts';
import { replaceRecoveryCodes } from '../../factors/domain/recovery-codes.ts';
import { confirmTotp, removeTotp } from '../../factors/domain/totp.ts';
import { newChange, openChanges, recordChange, settle } from './control-change.ts';
import type { ControlChangeKind, ControlHistory } from './control-change.ts';

// A thief who is logged in with the owner's password and factors changes what controls the account, in any order, and the owner
// takes it back by one of three ways: the link of any mail about a change that came to their mailbox, that of the mail about a
// changed email, or a reset of the password by mail. Played on the decisions alone.

const start = new Date('2026-11-21T09:30:00.000Z');
const hourMs = 60 * 60 * 1000;
type Party = 'owner' | 'thief';
const mailboxOf = (email: string): Party => (email.startsWith('thief') ? 'thief' : 'owner');

class World {
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
    if (settle(this.history).kind === 'deleted') this.history = null;
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

const kinds = [
  'email-changed',
  'password-changed',
  'totp-added',
  'totp-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-made',
] as const satisfies readonly ControlChangeKind[];
const kind = fc.constantFrom(...kinds);
const ownersKind = fc.constantFrom(...kinds.filter((each) => each !== 'email-changed'));
const thiefsStep = fc.oneof(kind, fc.constant('reset' as const));
const ways = ['the mail about a changed email', 'the mail about a new factor', 'a reset by mail'] as const;
const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) };

it.each(ways)('the owner gets the account back by %s, and the thief keeps nothing', (way) => {
  fc.assert(
    fc.property(fc.array(ownersKind, { maxLength: 6 }), fc.array(thiefsStep, { minLength: 1, maxLength: 40 }), play),
    runs,
  );

  function play(owners: readonly ControlChangeKind[], thiefs: readonly (ControlChangeKind | 'reset')[]): void {
    const world = new World();
    for (const step of owners) world.change(step, 'owner');
    // What the owner has is older than what can be undone.
    world.now = new Date(start.getTime() + 8 * 24 * hourMs);
    const before = world.kept();
    const { email } = world.user;
    for (const step of thiefs) {
      if (step === 'reset') world.reset('thief');
      else world.change(step, 'thief');
      world.now = new Date(world.now.getTime() + hourMs);
    }
    const mailed = world.links.filter(({ to, hash }) => to === 'owner' && isOpen(world, hash));
    const link =
      way === 'the mail about a changed email'
        ? mailed.find((each) => each.kind === 'email-changed')
        : mailed.find((each) => each.kind === 'passkey-added' || each.kind === 'totp-added');
    if (way === 'a reset by mail') {
      // Where the email is the thief's, the reset comes after a link.
      const isOwners = mailboxOf(world.user.email) === 'owner';
      if (!isOwners) expect(world.undo(mailed[0]?.hash ?? '')).toBe(true);
      world.reset('owner');
      expect(world.ofThief()).toEqual([]);
      expect(world.user).toMatchObject({ email, passwordHash: 'password of owner' });
      // Of the older factors, a reset drops none that the thief has left.
      if (!isOwners) expect(world.kept()).toEqual(before);
    } else if (link) {
      expect(world.undo(link.hash)).toBe(true);
      expect(world.ofThief()).toEqual([]);
      expect(world.user).toMatchObject({ email, passwordHash: 'password of nobody' });
      expect(world.kept()).toEqual(before);
      // No link works any more, the thief's own ones least of all.
      for (const each of world.links) expect(world.undo(each.hash)).toBe(false);
    }
  }
});

it('a reset by mail drops no factor that is older than the changes', () => {
  fc.assert(
    fc.property(fc.array(ownersKind, { maxLength: 6 }), (owners) => {
      const world = new World();
      for (const step of owners) world.change(step, 'owner');
      world.now = new Date(start.getTime() + 8 * 24 * hourMs);
      const before = world.kept();
      world.reset('owner');
      expect(world.kept()).toEqual(before);
    }),
    runs,
  );
});

it('no number of changes pushes the first link out', () => {
  const world = new World();
  for (let index = 0; index < 60; index += 1)
    world.change(index % 2 === 0 ? 'passkey-added' : 'password-changed', 'thief');
  expect(world.history?.changes).toHaveLength(25);
  expect(world.undo(world.links[0]?.hash ?? '')).toBe(true);
  expect(world.ofThief()).toEqual([]);
});

function isOpen(world: World, hash: string): boolean {
  return openChanges(world.history, world.now).some(({ id }) => id === hash);
}
