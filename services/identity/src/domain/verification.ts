import { changed, fact, identityErrors, identityEvents } from '@storefront/contracts';
import type { Decision, Fact } from '@storefront/contracts';
import { personOf } from './user.ts';
import type { User } from './user.ts';

/** Uses up the code and verifies the email. Throws `invalid_code` where the code was used or replaced meanwhile. */
export function confirmEmail(current: User | null, codeId: string, now: Date): Decision<User, User> {
  if (!current || current.codes.verify?.id !== codeId) throw identityErrors.invalidCode();
  const used = { ...current, codes: { ...current.codes, verify: null }, codeTries: [] };
  const { user, facts } = withVerifiedEmail(used, now);
  return changed(user, facts);
}

/** The user with the email verified, and the event about it; no change and no event where it was verified before. */
export function withVerifiedEmail(user: User, now: Date): { user: User; facts: Fact[] } {
  if (user.emailVerifiedAt !== null) return { user, facts: [] };
  const verified: User = {
    ...user,
    emailVerifiedAt: now,
    status: user.status === 'unverified' ? 'active' : user.status,
    updatedAt: now,
  };
  return {
    user: verified,
    facts: [fact(identityEvents.userVerified, user.id, { ...personOf(user), role: user.role })],
  };
}
