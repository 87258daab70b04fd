import { randomUUID } from 'node:crypto';
import { audited, identityErrors, withFacts } from '@storefront/contracts';
import type { Actor } from '@storefront/contracts';
import type { Codes } from '../../codes/secrets/codes.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { Sessions } from '../../store/sessions.ts';
import { dropFactorsSince, putEmailBack } from '../domain/new-email.ts';
import type { EmailChanges } from '../store/email-changes.ts';

interface Needs {
  readonly emailChanges: EmailChanges;
  readonly sessions: Sessions;
  readonly codes: Codes;
  readonly passwords: Passwords;
  readonly now: () => Date;
}

/**
 * Puts a former email back by the link that was mailed to it, and logs out everywhere. The password is dead, since whoever
 * changed the email may know it: its owner sets a new one by a code.
 */
export async function revertEmailChange(
  { emailChanges, sessions, codes, passwords, now }: Needs,
  token: string,
  actor: Actor,
): Promise<{ revokedAt: Date; revocation: Revocation }> {
  const revokedAt = now();
  const reversal = await emailChanges.findReversal(codes.linkHash(token), revokedAt);
  if (!reversal) throw identityErrors.invalidRevertToken();
  const unknownHash = await passwords.hash(randomUUID());
  const { revocation } = await emailChanges.revert(reversal, revokedAt, {
    user: (current) =>
      withFacts(
        putEmailBack(current, reversal, unknownHash, revokedAt),
        audited('identity', actor, 'email-changed', {
          object: { type: 'user', id: reversal.userId },
          details: { how: 'put back by the link in the mail' },
        }),
      ),
    factors: (current) => dropFactorsSince(current, reversal.createdAt),
  });
  await sessions.removeBelow(reversal.userId, revocation.tokenVersion);
  return { revokedAt, revocation };
}
