import { changed, unchanged, type Decision } from '@storefront/contracts';
import { noFactors, withoutFactor, type Factors } from './factors.ts';
import type { ControlChange, KeptFactors } from './control-change.ts';

/** The changes that are undone: all changes of a user that can still be undone, the oldest first. */
export type ControlChain = readonly [ControlChange, ...ControlChange[]];

const nothing: KeptFactors = { totp: null, passkeys: [], recoveryCodes: [] };

/** Restores the factors from before the changes. Codes that were used since then stay used. */
export function putFactorsBack(current: Factors | null, userId: string, chain: ControlChain): Decision<Factors, null> {
  const [earliest, ...later] = chain;
  const seenLater = [...later.map(({ before }) => before.factors), current];
  const kept = seenLater.reduce<KeptFactors>(withUsesOf, earliest.before.factors ?? nothing);
  if (!current && kept.totp === null && kept.passkeys.length === 0) return unchanged(null);
  return changed({ ...(current ?? noFactors(userId)), ...kept, pendingTotp: null }, [], null);
}

/**
 * The factors after a reset of the password by mail. Factors added by changes that can still be undone are removed,
 * since a thief who knew the password may have added them. Older factors stay, since a thief may have only the mailbox.
 * Returns whether a factor was removed.
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
