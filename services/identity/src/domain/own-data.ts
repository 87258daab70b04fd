import type { Activity } from '../audit/domain/activity.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

/** What identity keeps about a user, for an export: everything but secrets and their hashes. */
export function ownData(user: User, sessions: readonly Session[], activity: readonly Activity[]) {
  const { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt } = user;
  return {
    user: { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt },
    sessions: sessions.map((session) => ({
      device: session.device,
      ip: session.ip,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: session.expiresAt,
    })),
    activity,
  };
}
