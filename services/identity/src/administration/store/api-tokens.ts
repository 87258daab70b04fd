import { deleted, notFound, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import {
  defineCollection,
  inTransaction,
  living,
  openRepository,
  readUpToDate,
  withEvents,
  type Loaded,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';
import { storedApiToken, type ApiToken } from '../domain/api-token.ts';

const keptSeconds = 30 * 24 * 60 * 60;
const foundMs = 1000;

export const apiTokens = defineCollection(
  'api_tokens',
  { ...withEvents, ...storedApiToken.shape },
  {
    sharding: { unsharded: 'a hundred API tokens of the shop at most' },
    indexes: {
      by_hash: { keys: { hash: 1 } },
      newest: { keys: { createdAt: -1, _id: -1 } },
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: keptSeconds },
    },
  },
);

export interface ApiTokens extends Pick<Repository<ApiToken>, 'change' | 'count'> {
  page(slice: Slice): Promise<PageOf<Loaded<ApiToken>>>;
  /**
   * The token with this hash; null where there is none. It is not one that was revoked before the call, also just after
   * another server has taken over the database.
   */
  findByHash(hash: string): Promise<Pick<ApiToken, 'id' | 'scopes' | 'expiresAt'> | null>;
  /**
   * Deletes the token, and changes the user who revokes it as `decide` says, all or nothing. Throws `not_found` where there
   * is no such token.
   */
  revoke<Result>(
    id: string,
    revokedBy: string,
    decide: (token: ApiToken, user: User | null) => Decision<User, Result>,
  ): Promise<Result>;
  /** Notes that the token was used. */
  used(id: string, now: Date): Promise<void>;
}

export function openApiTokens(needs: RepositoryNeeds & { readonly users: Users }): ApiTokens {
  const repository = openRepository<ApiToken>(apiTokens, needs);
  const { collection } = repository;
  return {
    ...repository,
    page: (slice) => repository.page({ filter: {}, order: { createdAt: -1, _id: -1 }, hint: 'newest', slice }),
    async findByHash(hash) {
      const found = await readUpToDate(foundMs, (upToDate) =>
        collection.findOne(
          { hash, ...living },
          { hint: 'by_hash', projection: { scopes: 1, expiresAt: 1 }, ...upToDate },
        ),
      );
      return found && { id: found._id, scopes: found.scopes, expiresAt: found.expiresAt };
    },
    revoke: (id, revokedBy, decide) =>
      inTransaction(needs.database, async (transaction) => {
        const [gone] = await repository.changeAll(transaction, [id], (_id, current) => {
          if (!current) throw notFound('API token');
          return deleted([], current);
        });
        if (!gone) throw new Error(`nothing was decided about ${id}`);
        const [ended] = await needs.users.changeAll(transaction, [revokedBy], (_id, user) => decide(gone.result, user));
        if (!ended) throw new Error(`nothing was decided about ${revokedBy}`);
        return ended.result;
      }),
    async used(id, now) {
      await collection.updateOne({ _id: id }, { $max: { lastUsedAt: now } });
    },
  };
}
