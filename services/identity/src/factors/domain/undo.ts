import { changed, fact, identityErrors, identityEvents, unchanged, type Decision } from '@storefront/contracts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { personOf, withEmail, type User } from '../../domain/user.ts';
import { noFactors, withoutFactor, type Factors } from './factors.ts';
import type { ControlChange, ControlChangeKind, KeptFactors } from './control-change.ts';

/** What is undone: the open changes of a user, the oldest first. */
export type ControlChain = readonly [ControlChange, ...ControlChange[]];

const nothing: KeptFactors = { totp: null, passkeys: [], recoveryCodes: [] };

/** The kinds of change in the chain, each once. */
export function kindsOf(chain: ControlChain): ControlChangeKind[] {
  return [...new Set(chain.map(({ kind }) => kind))];
}

/**
 * Puts the email of before the chain back, replaces the password by `unknownHash`, whose password nobody knows, and revokes all
 * tokens. Throws `invalid_revert_token` where the user is being erased.
 */
export function putAccountBack(
  current: User | null,
  chain: ControlChain,
  unknownHash: string,
  now: Date,
): Decision<User, Revocation> {
  if (!current || current.status === 'erasing') throw identityErrors.invalidRevertToken();
  const next: User = {
    ...withEmail(current, chain[0].before),
    passwordHash: unknownHash,
    emailVerifiedAt: now,
    updatedAt: now,
  };
  const { user, fact: revoked, revocation } = revokeAll(next, 'changes-reverted', now);
  const data = { ...personOf(user), previousEmail: current.email, undone: kindsOf(chain) };
  return changed(user, [fact(identityEvents.changesReverted, user.id, data), revoked], revocation);
}

/** Puts the factors of before the chain back. What was used up since stays used up. */
export function putFactorsBack(current: Factors | null, userId: string, chain: ControlChain): Decision<Factors, null> {
  const [earliest, ...later] = chain;
  const seenLater = [...later.map(({ before }) => before.factors), current];
  const kept = seenLater.reduce<KeptFactors>(withUsesOf, earliest.before.factors ?? nothing);
  if (!current && kept.totp === null && kept.passkeys.length === 0) return unchanged(null);
  return changed({ ...(current ?? noFactors(userId)), ...kept, pendingTotp: null }, [], null);
}

/**
 * The factors after a reset of the password by mail: without those that were added by open changes, since a thief who knew the
 * password may have added them. Older ones stay, for a thief who has the mailbox alone. Returns whether something was dropped.
 */
export function dropAddedFactors(current: Factors | null, open: readonly ControlChange[]): Decision<Factors, boolean> {
  const [earliest] = open;
  if (!current || !earliest) return unchanged(false);
  const older = earliest.before.factors ?? nothing;
  const totp = current.totp?.sealed === older.totp?.sealed ? current.totp : null;
  const passkeys = current.passkeys.filter(({ id }) => older.passkeys.some((known) => known.id === id));
  const areOlder = current.recoveryCodes.every(({ hash }) => older.recoveryCodes.some((code) => code.hash === hash));
  if (totp === current.totp && passkeys.length === current.passkeys.length && areOlder) return unchanged(false);
  const recoveryCodes = areOlder ? current.recoveryCodes : [];
  return changed(withoutFactor({ ...current, totp, pendingTotp: null, passkeys, recoveryCodes }, false), [], true);
}

function withUsesOf(kept: KeptFactors, later: KeptFactors | null): KeptFactors {
  if (!later) return kept;
  const usedCodes = new Map(later.recoveryCodes.map(({ hash, usedAt }) => [hash, usedAt]));
  return {
    totp: kept.totp && later.totp?.sealed === kept.totp.sealed ? later.totp : kept.totp,
    passkeys: kept.passkeys.map((passkey) => later.passkeys.find(({ id }) => id === passkey.id) ?? passkey),
    recoveryCodes: kept.recoveryCodes.map((code) => ({
      ...code,
      usedAt: code.usedAt ?? usedCodes.get(code.hash) ?? null,
    })),
  };
}
