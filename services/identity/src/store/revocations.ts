import { collectionOf } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import { usersCollection } from './users.ts';

/** What a gateway has to know to refuse every token that was revoked and has not run out by itself. */
interface RevocationSnapshot {
  readonly users: readonly { readonly id: string; readonly ver: number }[];
  readonly sessions: readonly { readonly id: string; readonly until: Date }[];
}

export interface Revocations {
  /** Users whose tokens were revoked since `since`, and sessions ended whose tokens may still live at `now`. */
  snapshot(since: Date, now: Date): Promise<RevocationSnapshot>;
}

export function createRevocations(database: Database): Revocations {
  const users = usersCollection(database);
  const erased = revokedErasedCollection(database);
  return {
    async snapshot(since, now) {
      const [revoked, ended, gone] = await Promise.all([
        users
          .find({ tokensRevokedAt: { $gte: since } }, { hint: 'revoked', projection: { tokenVersion: 1 } })
          .toArray(),
        users
          .find({ 'endedSessions.until': { $gt: now } }, { hint: 'sessions_ended', projection: { endedSessions: 1 } })
          .toArray(),
        erased.find({ until: { $gt: now } }, { hint: 'expiry' }).toArray(),
      ]);
      return {
        users: [
          ...revoked.map((user) => ({ id: user._id, ver: user.tokenVersion })),
          ...gone.map(({ _id, ver }) => ({ id: _id, ver })),
        ],
        sessions: ended.flatMap((user) => user.endedSessions.filter((session) => session.until > now)),
      };
    },
  };
}

/** Users that are gone while tokens of theirs might still live: an id that leads nowhere any more. */
export function revokedErasedCollection(database: Database) {
  return collectionOf<{ _id: string; ver: number; until: Date }>(database, 'erased_users');
}
