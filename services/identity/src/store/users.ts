import { staffRoles, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import {
  defineCollection,
  openRepository,
  planWordSearch,
  withEvents,
  type Loaded,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { storedUser, wordsOf, type User } from '../domain/user.ts';

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
        { by: ['role'], because: 'administrators list accounts with a role' },
        { by: ['status'], because: 'administrators list accounts of a status' },
        { by: [], because: 'administrators list accounts' },
        { by: ['createdAt'], because: 'administrators list accounts, page by page' },
        { by: ['words'], because: 'the words of a search are counted by their index alone' },
      ],
    },
    indexes: {
      trade_newest: { keys: { 'trade.submittedAt': -1, _id: -1 }, ...isTrade },
      trade_by_status: { keys: { status: 1, 'trade.submittedAt': -1, _id: -1 }, ...isTrade },
      staff_newest: {
        keys: { createdAt: -1, _id: -1 },
        partialFilterExpression: { role: { $in: [...staffRoles] } },
      },
      newest: { keys: { createdAt: -1, _id: -1 } },
      by_role: { keys: { role: 1, createdAt: -1, _id: -1 } },
      by_status: { keys: { status: 1, createdAt: -1, _id: -1 } },
      by_role_and_status: { keys: { role: 1, status: 1, createdAt: -1, _id: -1 } },
      by_word: { keys: { words: 1 } },
      revoked: { keys: { tokensRevokedAt: 1 }, ...isSet('tokensRevokedAt') },
      sessions_ended: { keys: { 'endedSessions.until': 1 }, ...isSet('endedSessions.until') },
    },
  },
);

/** Which users staff search for. */
interface UserSearch {
  /** Beginnings of words, which all have to match; null for any user. */
  readonly words: readonly string[] | null;
  readonly role: User['role'] | undefined;
  readonly status: User['status'] | undefined;
}

export interface Users extends Omit<Repository<User>, 'insertNew'> {
  /** The users that match, the newest first. */
  directory(search: UserSearch, slice: Slice): Promise<PageOf<Loaded<User>>>;
  /** Users with a trade application, the last submitted first. */
  tradeAccounts(query: { status?: User['status'] | undefined; slice: Slice }): Promise<PageOf<Loaded<User>>>;
}

const maxWords = 10;
// Up to so many users are read and then sorted. If more match, it takes fewer reads to go through the list itself.
const few = 2000;

/** The users, each in a document that carries its outbox. */
export function openUsers(needs: RepositoryNeeds): Users {
  const repository = openRepository<User>(users, needs);
  return {
    ...repository,
    change: (id, decide, known) => repository.change(id, (...current) => withWords(decide(...current)), known),
    changeAll: (transaction, ids, decide) =>
      repository.changeAll(transaction, ids, (...current) => withWords(decide(...current))),

    async directory({ words, role, status }, slice) {
      const beginnings = words?.slice(0, maxWords) ?? [];
      if (words !== null && beginnings.length === 0) return { items: [], next: null };
      const search = { field: 'words', hint: 'by_word', beginnings, few };
      const { conditions, isRare } = await planWordSearch(repository.collection, search);
      return repository.page({
        filter: {
          ...(role && { role }),
          ...(status && { status }),
          ...(conditions.length > 0 && { $and: conditions }),
        },
        order: { createdAt: -1, _id: -1 },
        hint: isRare ? 'by_word' : listHint(role, status),
        slice,
      });
    },

    tradeAccounts: ({ status, slice }) =>
      repository.page({
        filter: { role: 'trade', ...(status ? { status } : {}) },
        order: { 'trade.submittedAt': -1, _id: -1 },
        hint: status ? 'trade_by_status' : 'trade_newest',
        slice,
      }),
  };
}

/** The index that has the users with a role, a status or both in the order of the list. */
function listHint(role: User['role'] | undefined, status: User['status'] | undefined): string {
  if (role !== undefined) return status === undefined ? 'by_role' : 'by_role_and_status';
  return status === undefined ? 'newest' : 'by_status';
}

/** Sets the words of a user that is to be written. */
function withWords<Result>(decision: Decision<User, Result>): Decision<User, Result> {
  if (decision.kind !== 'changed') return decision;
  const { state, ...rest } = decision;
  return { ...rest, state: { ...state, words: wordsOf(state) } };
}
