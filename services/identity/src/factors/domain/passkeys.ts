import { changed, identityErrors, notFound, type Decision } from '@storefront/contracts';
import type { RevertLink } from '../../domain/revert-link.ts';
import type { User } from '../../domain/user.ts';
import {
  factorFact,
  factorRules,
  hasSecondFactor,
  noFactors,
  proved,
  withoutFactor,
  type Factors,
  type Passkey,
} from './factors.ts';

/** Throws `too_many_passkeys` where the user may not have another passkey. */
export function assertRoomForPasskey(current: Factors | null): void {
  if ((current?.passkeys.length ?? 0) >= factorRules.passkeys)
    throw identityErrors.tooManyPasskeys(factorRules.passkeys);
}

/**
 * Adds a passkey. If it is the user's first factor, `newHashes` become the hashes of the recovery codes. Returns
 * whether it is the first factor.
 */
export function addPasskey(
  current: Factors | null,
  user: User,
  passkey: Passkey,
  newHashes: readonly string[],
  revertLink: RevertLink | null,
): Decision<Factors, boolean> {
  const before = current ?? noFactors(user.id);
  if (before.passkeys.some(({ credentialId }) => credentialId === passkey.credentialId))
    throw identityErrors.passkeyKnown();
  assertRoomForPasskey(before);
  const isFirst = !hasSecondFactor(before);
  const next: Factors = {
    ...proved(before),
    passkeys: [...before.passkeys, passkey],
    recoveryCodes: isFirst ? newHashes.map((hash) => ({ hash, usedAt: null })) : before.recoveryCodes,
  };
  return changed(next, [factorFact(user, 'passkey-added', next, revertLink)], isFirst);
}

export function renamePasskey(current: Factors | null, id: string, name: string): Decision<Factors, Passkey> {
  const renamed = { ...findPasskey(current, id).passkey, name };
  return changed(withPasskey(findPasskey(current, id).factors, renamed), [], renamed);
}

export function removePasskey(
  current: Factors | null,
  user: User,
  id: string,
  isRequired: boolean,
  revertLink: RevertLink | null,
): Decision<Factors, null> {
  const { factors } = findPasskey(current, id);
  const others = factors.passkeys.filter((passkey) => passkey.id !== id);
  const next = withoutFactor({ ...factors, passkeys: others }, isRequired);
  return changed(next, [factorFact(user, 'passkey-removed', next, revertLink)], null);
}

/**
 * Records that a passkey has proved who is calling. `counter` is how often the passkey was used. Throws
 * `invalid_factor` where the counter has not grown, which shows a copy of the passkey.
 */
export function usePasskey(
  current: Factors | null,
  { credentialId, counter, backedUp }: Pick<Passkey, 'credentialId' | 'counter' | 'backedUp'>,
  now: Date,
): Decision<Factors, Factors> {
  const known = current?.passkeys.find((passkey) => passkey.credentialId === credentialId);
  // A passkey that does not count its uses always has the counter 0.
  const isCopy = known && (counter > 0 || known.counter > 0) && counter <= known.counter;
  if (!current || !known || isCopy) throw identityErrors.invalidFactor();
  return changed(withPasskey(proved(current), { ...known, counter, backedUp, lastUsedAt: now }), []);
}

/** Throws `not_found` where there is no passkey with that id. */
function findPasskey(current: Factors | null, id: string): { factors: Factors; passkey: Passkey } {
  const passkey = current?.passkeys.find((one) => one.id === id);
  if (!current || !passkey) throw notFound('passkey');
  return { factors: current, passkey };
}

function withPasskey(factors: Factors, changedOne: Passkey): Factors {
  return { ...factors, passkeys: factors.passkeys.map((one) => (one.id === changedOne.id ? changedOne : one)) };
}
