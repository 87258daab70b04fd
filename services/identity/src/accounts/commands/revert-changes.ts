import { randomUUID } from 'node:crypto';
import { audited, identityErrors, withFacts, type Actor } from '@storefront/contracts';
import type { Revocation } from '../../domain/revocation.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { Sessions } from '../../sessions/store/sessions.ts';
import type { ControlChangeKind } from '../../factors/domain/control-change.ts';
import { kindsOf, putAccountBack, putFactorsBack } from '../../factors/domain/undo.ts';
import type { Reversals } from '../store/reversals.ts';
import type { ControlChangeNeeds } from '../../factors/commands/record-as.ts';

interface Needs extends ControlChangeNeeds {
  readonly reversals: Reversals;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
}

/**
 * Undoes all changes of who controls an account that are younger than 7 days, by the link in the mail about any of them, and
 * logs out everywhere. The password is dead, since whoever made the changes may know it: its owner sets a new one by a code.
 */
export async function revertChanges(
  needs: Needs,
  token: string,
  actor: Actor,
): Promise<{ revokedAt: Date; revocation: Revocation; undone: ControlChangeKind[] }> {
  const revokedAt = needs.now();
  const hash = needs.codes.linkHash(token);
  const userId = await needs.controlChanges.ownerOf(hash, revokedAt);
  if (userId === null) throw identityErrors.invalidRevertToken();
  const unknownHash = await needs.passwords.hash(randomUUID());
  let undone: ControlChangeKind[] = [];
  const revocation = await needs.reversals.undo({ userId, hash }, revokedAt, {
    user(current, chain) {
      undone = kindsOf(chain);
      const entry = { object: { type: 'user', id: userId }, details: { undone: undone.join(', ') } };
      return withFacts(
        putAccountBack(current, chain, unknownHash, revokedAt),
        audited('identity', actor, 'changes-reverted', entry),
      );
    },
    factors: (current, chain) => putFactorsBack(current, userId, chain),
  });
  await needs.sessions.removeBelow(userId, revocation.tokenVersion);
  return { revokedAt, revocation, undone };
}
