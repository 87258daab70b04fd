import { fact, identityEvents } from '@storefront/contracts';
import type { UserDataKeeper } from '@storefront/contracts';
import { changed, deleted, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { erasedBy, erasureOf, exportOf, newErasure } from './data-request.ts';
import { administratorNotErasable, wrongCurrentPassword } from './errors.ts';
import { checkCurrentPassword } from './log-in.ts';
import type { Identity } from './ports.ts';
import { revocationKeptMs, revokeAll } from './revocation.ts';
import type { Revocation } from './revocation.ts';
import type { User } from './user.ts';

interface Erasing {
  readonly requestedAt: Date;
  readonly revocation: Revocation;
}

/**
 * Begins to erase the user: from here on nobody can log in, all tokens are dead, and every service that keeps something
 * about people is told to erase it. `finishErasure` goes on when they have answered.
 */
export async function requestErasure(identity: Identity, userId: string, password: string): Promise<Erasing> {
  const user = (await identity.users.load(userId))?.state;
  if (!user) throw wrongPassword();
  await checkCurrentPassword(identity, user.email, user, password, wrongPassword);
  const now = identity.now();
  const begun = await identity.erasures.begin(newErasure(userId, now), (current) =>
    erasing(current, user.passwordHash, now),
  );
  await identity.sessions.removeBelow(userId, begun.revocation.tokenVersion);
  return begun;
}

/** `knownHash` is what the password was checked against: somebody faster makes it the wrong one. */
export function erasing(current: User | null, knownHash: string, now: Date): Decision<User, Erasing> {
  if (!current || current.passwordHash !== knownHash) throw wrongPassword();
  if (current.role === 'admin') throw administratorNotErasable();
  if (current.status === 'erasing') {
    const revocation = { userId: current.id, tokenVersion: current.tokenVersion, sessionId: null };
    return unchanged({ requestedAt: current.updatedAt, revocation });
  }
  const codes = { verify: null, reset: null };
  const { user, fact: revoked, revocation } = revokeAll({ ...current, status: 'erasing', codes }, 'erased', now);
  const asked = fact(identityEvents.userErasureRequested, user.id, { email: user.email, role: user.role });
  return changed({ ...user, updatedAt: now }, [asked, revoked], { requestedAt: now, revocation });
}

/** A service has erased its part; after the last one identity erases its own. Any number of times, in any order. */
export async function finishErasure(identity: Identity, userId: string, keeper: UserDataKeeper): Promise<void> {
  const { result: erasure } = await identity.erasures.change(erasureOf(userId), (current) => erasedBy(current, keeper));
  if (!erasure || erasure.waitingFor.length > 0) return;
  const user = (await identity.users.load(userId))?.state;
  // The user goes last: after a crash anywhere before, the same event does the rest.
  if (user) await eraseOwn(identity, user);
  await identity.erasures.change(erasure.id, (current) => (current ? deleted([], null) : unchanged(null)));
}

async function eraseOwn(identity: Identity, { id, email, tokenVersion }: User): Promise<void> {
  const until = new Date(identity.now().getTime() + revocationKeptMs(identity.rules.accessSeconds));
  await Promise.all([
    // Gateways that start now must still refuse the last tokens.
    identity.erasures.keepRevoked({ id, ver: tokenVersion, until }),
    identity.sessions.removeBelow(id, tokenVersion + 1),
    identity.turns.forget(email),
    identity.exports.change(exportOf(id), (current) => (current ? deleted([], null) : unchanged(null))),
  ]);
  // Before the user: an email without its user would be given to the next one under the old id.
  await identity.emails.release(email, id);
  await identity.users.change(id, (current) =>
    current ? deleted([fact(identityEvents.userErased, id, {})], null) : unchanged(null),
  );
}

function wrongPassword() {
  return wrongCurrentPassword('/password');
}
