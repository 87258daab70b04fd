import type { PageOf, Slice } from '@storefront/contracts';
import {
  defineCollection,
  openRepository,
  withEvents,
  type Loaded,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { storedUser, type User } from '../domain/user.ts';

const isTrade = { partialFilterExpression: { role: 'trade' } };
const isSet = (field: string) => ({ partialFilterExpression: { [field]: { $gt: new Date(0) } } });

export const users = defineCollection(
  'users',
  { ...withEvents, ...storedUser.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['tokensRevokedAt'], because: 'a gateway that starts asks for all revocations' },
        { by: ['endedSessions.until'], because: 'a gateway that starts asks for all sessions that ended' },
        { by: ['role'], because: 'administrators list trade accounts and administrators' },
      ],
    },
    indexes: {
      trade_newest: { keys: { 'trade.submittedAt': -1, _id: -1 }, ...isTrade },
      trade_by_status: { keys: { status: 1, 'trade.submittedAt': -1, _id: -1 }, ...isTrade },
      administrators_newest: {
        keys: { createdAt: -1, _id: -1 },
        partialFilterExpression: { role: 'admin' },
      },
      revoked: { keys: { tokensRevokedAt: 1 }, ...isSet('tokensRevokedAt') },
      sessions_ended: { keys: { 'endedSessions.until': 1 }, ...isSet('endedSessions.until') },
    },
  },
);

export interface Users extends Repository<User> {
  /** Users with a trade application, the last submitted first. */
  tradeAccounts(query: { status?: User['status'] | undefined; slice: Slice }): Promise<PageOf<Loaded<User>>>;
}

/** The users, each in a document that carries its outbox. */
export function openUsers(needs: RepositoryNeeds): Users {
  const repository = openRepository<User>(users, needs);
  return {
    ...repository,

    tradeAccounts: ({ status, slice }) =>
      repository.page({
        filter: { role: 'trade', ...(status ? { status } : {}) },
        order: { 'trade.submittedAt': -1, _id: -1 },
        hint: status ? 'trade_by_status' : 'trade_newest',
        slice,
      }),
  };
}
