import { batch, collectionOf, readUpToDate, type Database } from '@storefront/mongo';
import type { User } from '../../domain/user.ts';
import { users } from '../../store/users.ts';

/** The fields of a user that decide which of the user's tokens are valid. */
type TokenState = Pick<User, 'tokenVersion' | 'status' | 'endedSessions'>;

export interface TokenStates {
  /**
   * Includes every change that was acknowledged before the call. Null where there is no such user. Throws an error for
   * which `isDatabaseAway` is true where this can't be ensured within two seconds.
   */
  read(userId: string): Promise<TokenState | null>;
}

const limitMs = 2000;
const fields = { tokenVersion: 1, status: 1, endedSessions: 1, deletedAt: 1 } as const;

/** Simultaneous calls share one read, since each read waits for a majority of the servers. */
export function openTokenStates(database: Database): TokenStates {
  const collection = collectionOf(database, users);
  const read = batch<string, TokenState | null>({
    concurrency: 2,
    async work(ids) {
      const found = await readUpToDate(limitMs, (upToDate) =>
        collection.find({ _id: { $in: [...new Set(ids)] } }, { projection: fields, ...upToDate }).toArray(),
      );
      const living = new Map(found.filter(({ deletedAt }) => !deletedAt).map((document) => [document._id, document]));
      return ids.map((id) => living.get(id) ?? null);
    },
  });
  return { read };
}
