import { identityEvents } from '@storefront/contracts';
import { collectionOf, defineCollection, pendingIndex, readUpToDate, type Database } from '@storefront/mongo';
import { z } from 'zod';
import { users } from '../../store/users.ts';

/** The last token version of each erased user, kept for as long as one of the user's tokens may be valid. */
export const erasedUserTokens = defineCollection(
  'erased_users',
  { ver: z.int(), until: z.date() },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['until'], because: 'a gateway that starts asks for all revocations' }],
    },
    indexes: { expiry: { keys: { until: 1 }, expireAfterSeconds: 0 } },
  },
);

/** All revocations of tokens that may not have expired yet. */
interface LiveRevocations {
  /** Users with their token version: tokens of a lower version are revoked. */
  readonly users: readonly { readonly id: string; readonly ver: number }[];
  /** Sessions that were ended separately, and until when their tokens may be valid. */
  readonly sessions: readonly { readonly id: string; readonly until: Date }[];
}

export interface RevocationStore {
  /**
   * Includes every revocation from before the call. Throws an error for which `isDatabaseAway` is true where this can't
   * be ensured within 4 s.
   */
  read(now: Date): Promise<LiveRevocations>;
  /**
   * The ids of the revocations that wait in an outbox to be published. All other revocations from before the call have
   * been published. Throws where more than a thousand users have a waiting revocation. Throws an error for which
   * `isDatabaseAway` is true where the result can't be ensured within a second.
   */
  unpublished(): Promise<ReadonlySet<string>>;
  /** Keeps, until `until`, the revocation of an erased user's tokens below version `ver`. */
  keepErased(user: { readonly id: string; readonly ver: number; readonly until: Date }): Promise<void>;
}

const snapshotMs = 4000;
const unpublishedMs = 1000;
const mostUnpublished = 1000;
const { type: revoked } = identityEvents.tokensRevoked;
// Each revocation is a change of its user, so its event is in the outbox of that user.
const hasUnpublished = { 'outbox.0': { $exists: true }, 'outbox.type': revoked };

/** `keptMs` is for how long a token may still be valid after its revocation. */
export function openRevocations(database: Database, keptMs: number): RevocationStore {
  const collection = collectionOf(database, users);
  const erased = collectionOf(database, erasedUserTokens);
  return {
    async read(now) {
      const since = new Date(now.getTime() - keptMs);
      const [all, ended, gone] = await readUpToDate(snapshotMs, (upToDate) =>
        Promise.all([
          collection
            .find(
              { tokensRevokedAt: { $gte: since } },
              { hint: 'revoked', projection: { tokenVersion: 1 }, ...upToDate },
            )
            .toArray(),
          collection
            .find(
              { 'endedSessions.until': { $gt: now } },
              { hint: 'sessions_ended', projection: { endedSessions: 1 }, ...upToDate },
            )
            .toArray(),
          erased.find({ until: { $gt: now } }, { hint: 'expiry', ...upToDate }).toArray(),
        ]),
      );
      return {
        users: [
          ...all.map(({ _id, tokenVersion }) => ({ id: _id, ver: tokenVersion })),
          ...gone.map(({ _id, ver }) => ({ id: _id, ver })),
        ],
        sessions: ended.flatMap(({ endedSessions }) => endedSessions.filter(({ until }) => until > now)),
      };
    },
    async unpublished() {
      const limit = mostUnpublished + 1;
      const options = { hint: pendingIndex, projection: { outbox: { id: 1, type: 1 } }, limit, batchSize: limit + 1 };
      const found = await readUpToDate(unpublishedMs, (upToDate) =>
        collection.find(hasUnpublished, { ...options, ...upToDate }).toArray(),
      );
      if (found.length > mostUnpublished) throw new Error(`more than ${mostUnpublished} revocations are not published`);
      const events = found.flatMap(({ outbox }) => outbox);
      return new Set(events.filter(({ type }) => type === revoked).map(({ id }) => id));
    },
    async keepErased({ id, ver, until }) {
      await erased.updateOne({ _id: id }, { $set: { ver, until } }, { upsert: true });
    },
  };
}
