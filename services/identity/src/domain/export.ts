import type { UserDataKeeper } from '@storefront/contracts';
import { deleted, unchanged } from '@storefront/outbox/decision';
import { notFound } from '@storefront/service-kit/problem';
import { exportOf, handedIn, requestExport } from './data-request.ts';
import type { Export } from './data-request.ts';
import type { Identity } from './ports.ts';
import type { Session } from './session.ts';
import { personOf } from './user.ts';
import type { User } from './user.ts';

/** Asks every service for what it keeps about the user. */
export async function askForExport(identity: Identity, userId: string, exportId: string): Promise<Export> {
  const user = (await identity.users.load(userId))?.state;
  if (!user || user.status === 'erasing') throw notFound('user');
  const asked = { userId, email: user.email, exportId };
  const { result } = await identity.exports.change(exportOf(userId), (current) =>
    requestExport(current, asked, identity.now()),
  );
  return result;
}

/** The user's export of that id; 404 where it is gone, or somebody else's. */
export async function readExport(identity: Identity, userId: string, exportId: string): Promise<Export> {
  const found = (await identity.exports.load(exportOf(userId)))?.state;
  if (found?.exportId !== exportId || found.expiresAt <= identity.now()) throw notFound('export');
  return found;
}

/** A service has handed in its part. Any number of times, in any order. */
export async function collectPart(
  identity: Identity,
  userId: string,
  part: { readonly exportId: string; readonly keeper: UserDataKeeper; readonly data: Record<string, unknown> },
): Promise<void> {
  const user = (await identity.users.load(userId))?.state;
  if (!user || user.status === 'erasing') {
    await identity.exports.change(exportOf(userId), (current) => (current ? deleted([], null) : unchanged(null)));
    return;
  }
  const own = { data: ownData(user, await identity.sessions.ofUser(userId)), person: personOf(user) };
  await identity.exports.change(exportOf(userId), (current) => handedIn(current, part, own, identity.now()));
}

/** What identity itself keeps about the user, but secrets and their hashes. */
function ownData(user: User, sessions: readonly Session[]) {
  const { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt } = user;
  return {
    user: { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt },
    sessions: sessions.map(({ device, ip, createdAt: began, lastUsedAt, expiresAt }) => ({
      device,
      ip,
      createdAt: began,
      lastUsedAt,
      expiresAt,
    })),
  };
}
