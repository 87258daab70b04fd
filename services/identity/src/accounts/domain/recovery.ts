import {
  deleted,
  fact,
  identityErrors,
  identityEvents,
  isStaff,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { codeTimes, oneTimeCode, storedCode, type HashedCode } from '../../domain/code.ts';
import { personOf, type User } from '../../domain/user.ts';

/**
 * A request for a new password. There may be several requests for the same account: each has its own code and its own
 * count of tries.
 */
export const storedRecovery = z.object({
  /** The digest of the secret id that the client has. */
  id: z.string(),
  /** Null where the email has no account: nothing was mailed, and nothing can be recovered. */
  userId: z.string().nullable(),
  /**
   * The code of six digits. Where only the link is valid, a code that was sent to nobody, so that no try of digits
   * succeeds.
   */
  code: oneTimeCode,
  /** The hash of the long code in the mail's link. */
  linkHash: z.string(),
  createdAt: z.date(),
  /** When the link expires. */
  expiresAt: z.date(),
});
export type Recovery = StateOf<typeof storedRecovery>;

const linkLifetimeMs = 60 * 60 * 1000;

/** Whether the account can be recovered by six digits. An account of staff can be recovered only by the link. */
export function takesDigits(owner: User | null): boolean {
  return owner !== null && canRecover(owner) && !isStaff(owner.role);
}

function canRecover({ status }: User): boolean {
  return status !== 'erasing';
}

/** Makes a recovery, and the event that has its code mailed. There is no event where the email has no account. */
export function newRecovery(
  id: string,
  owner: User | null,
  link: { readonly digits: HashedCode; readonly linkHash: string; readonly sealed: string },
  now: Date,
): { recovery: Recovery; facts: Fact[] } {
  const user = owner && canRecover(owner) ? owner : null;
  const expiresAt = new Date(now.getTime() + linkLifetimeMs);
  const recovery: Recovery = {
    id,
    userId: user?.id ?? null,
    code: storedCode(link.digits, id, 'reset', now),
    linkHash: link.linkHash,
    createdAt: now,
    expiresAt,
  };
  if (!user) return { recovery, facts: [] };
  const codeExpiresAt = codeTimes(now).expiresAt.toISOString();
  const data = { ...personOf(user), sealedCode: link.sealed, codeExpiresAt, linkExpiresAt: expiresAt.toISOString() };
  return { recovery, facts: [fact(identityEvents.passwordResetRequested, user.id, data)] };
}

/** Deletes the recovery. Throws `invalid_code` where it was used already or has expired. */
export function useUp(current: Recovery | null, now: Date): Decision<Recovery, Recovery> {
  if (!current || current.expiresAt <= now) throw identityErrors.invalidCode();
  return deleted([], current);
}
