import { randomUUID } from 'node:crypto';
import { audited, identityErrors, withFacts, type Actor } from '@storefront/contracts';
import type { Revocation } from '../../domain/revocation.ts';
import type { ControlChangeKind } from '../../factors/factors.ts';
import { kindsOf, putAccountBack } from '../domain/undo.ts';
import type { AccountNeeds } from './account-needs.ts';

/**
 * Undoes all changes of who controls an account that are younger than 7 days, and logs out everywhere. The link in the
 * mail about any one of these changes is enough. Also invalidates the password, since the person who made the changes
 * may know it. The owner then sets a new password by a code.
 */
export async function revertChanges(
  needs: AccountNeeds,
  token: string,
  actor: Actor,
): Promise<{ revokedAt: Date; revocation: Revocation; undone: ControlChangeKind[] }> {
  const revokedAt = needs.now();
  const hash = needs.codes.linkHash(token);
  const userId = await needs.factors.controlChanges.ownerOf(hash, revokedAt);
  if (userId === null) throw identityErrors.invalidRevertToken();
  const unknownHash = await needs.passwords.hash(randomUUID());
  let undone: ControlChangeKind[] = [];
  const revocation = await needs.reversals.undo({ userId, hash }, revokedAt, (current, chain) => {
    undone = kindsOf(chain);
    const entry = { object: { type: 'user', id: userId }, details: { undone: undone.join(', ') } };
    return withFacts(
      putAccountBack(current, chain, unknownHash, revokedAt),
      audited('identity', actor, 'changes-reverted', entry),
    );
  });
  await needs.sessions.removeBelow(userId, revocation.tokenVersion);
  return { revokedAt, revocation, undone };
}
