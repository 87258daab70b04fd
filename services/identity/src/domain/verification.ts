import { fact, identityEvents } from '@storefront/contracts';
import type { Fact } from '@storefront/contracts';
import { changed } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { invalidCode } from './errors.ts';
import { personOf } from './user.ts';
import type { User } from './user.ts';

/** Uses up the code: of many that hold the same one, the first takes it and the others find it gone. */
export function confirmEmail(current: User | null, codeId: string, now: Date): Decision<User, User> {
  if (!current || current.codes.verify?.id !== codeId) throw invalidCode();
  const used = { ...current, codes: { ...current.codes, verify: null }, codeTries: [] };
  const { user, facts } = verified(used, now);
  return changed(user, facts);
}

/** The user with the email proved, and the fact that it is; nothing where it was already. */
export function verified(user: User, now: Date): { user: User; facts: Fact[] } {
  if (user.emailVerifiedAt !== null) return { user, facts: [] };
  const proved: User = {
    ...user,
    emailVerifiedAt: now,
    status: user.status === 'unverified' ? 'active' : user.status,
    updatedAt: now,
  };
  return { user: proved, facts: [fact(identityEvents.userVerified, user.id, { ...personOf(user), role: user.role })] };
}
