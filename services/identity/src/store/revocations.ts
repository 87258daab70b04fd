import { identityEvents } from '@storefront/contracts';
import { collectionOf, date, defineCollection, integer, pendingIndex } from '@storefront/mongo';
import type { Database } from '@storefront/mongo';
import { upToDate } from './up-to-date.ts';
import { users } from './users.ts';

/** The last token version of erased users, for as long as one of their tokens may live. */
export const erasedUserTokens = defineCollection(
  'erased_users',
  { ver: integer(), until: date() },
  { indexes: { expiry: { keys: { until: 1 }, expireAfterSeconds: 0 } } },
);

/** All revocations of tokens that may not have expired yet. */
interface LiveRevocations {
  /** Users with their token version: tokens of a lower one are revoked. */
  readonly users: readonly { readonly id: string; readonly ver: number }[];
  /** Sessions that were ended one by one, and until when their tokens may live. */
  readonly sessions: readonly { readonly id: string; readonly until: Date }[];
}

export interface RevocationStore {
  /** Never older than the call. */
  read(now: Date): Promise<LiveRevocations>;
  /**
   * Whether a revocation waits in an outbox to be published. Never older than the call: false shows that everything revoked
   * before it has been published. Fails after a second.
   */
  hasUnpublished(): Promise<boolean>;
  /** Keeps until `until` that tokens of an erased user below `ver` are revoked. */
  keepErased(user: { readonly id: string; readonly ver: number; readonly until: Date }): Promise<void>;
}

const snapshotMs = 4000;
const unpublishedMs = 1000;
// Each revocation is a change of its user, so its event is in the outbox of that user.
const unpublished = { 'outbox.0': { $exists: true }, 'outbox.type': identityEvents.tokensRevoked.type };

/** `keptMs` is how long after a revocation a revoked token may still live. */
export function openRevocations(database: Database, keptMs: number): RevocationStore {
  const collection = collectionOf(database, users);
  const erased = collectionOf(database, erasedUserTokens);
  return {
    async read(now) {
      const since = new Date(now.getTime() - keptMs);
      const recent = upToDate(snapshotMs);
      const [revoked, ended, gone] = await Promise.all([
        collection
          .find({ tokensRevokedAt: { $gte: since } }, { hint: 'revoked', projection: { tokenVersion: 1 }, ...recent })
          .toArray(),
        collection
          .find(
            { 'endedSessions.until': { $gt: now } },
            { hint: 'sessions_ended', projection: { endedSessions: 1 }, ...recent },
          )
          .toArray(),
        erased.find({ until: { $gt: now } }, { hint: 'expiry', ...recent }).toArray(),
      ]);
      return {
        users: [
          ...revoked.map(({ _id, tokenVersion }) => ({ id: _id, ver: tokenVersion })),
          ...gone.map(({ _id, ver }) => ({ id: _id, ver })),
        ],
        sessions: ended.flatMap(({ endedSessions }) => endedSessions.filter(({ until }) => until > now)),
      };
    },
    async hasUnpublished() {
      const options = { hint: pendingIndex, projection: { _id: 1 }, ...upToDate(unpublishedMs) };
      return (await collection.findOne(unpublished, options)) !== null;
    },
    async keepErased({ id, ver, until }) {
      await erased.updateOne({ _id: id }, { $set: { ver, until } }, { upsert: true });
    },
  };
}
