import {
  notFound,
  type identityHttp,
  type identityInternalOperations,
  type identityOperations,
} from '@storefront/contracts';
import { actorOf, type Cursors, type Handlers } from '@storefront/http';
import type { FactorsArea } from '../../factors/factors.ts';
import { setRevokedHeader } from '../../routes/headers.ts';
import { createApiToken, revokeApiToken, type ApiTokenNeeds } from '../commands/api-tokens.ts';
import type { ApiToken } from '../domain/api-token.ts';

interface Parts extends ApiTokenNeeds {
  readonly factors: Pick<FactorsArea, 'requireFreshProof'>;
  readonly cursors: Cursors;
}

/** The routes for administrators to make, list and revoke API tokens, and for gateways to verify one by its hash. */
export function apiTokenHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'createApiToken' | 'listApiTokens' | 'revokeApiToken'> &
  Pick<Handlers<typeof identityInternalOperations>, 'getApiToken'> {
  const { apiTokens, factors, cursors, now } = parts;
  return {
    async createApiToken(request, reply) {
      const { caller, body } = request;
      await factors.requireFreshProof(caller);
      const { apiToken, token } = await createApiToken(parts, body, { ...actorOf(request), userId: caller.sub });
      void reply.header('location', `/v1/api-tokens/${apiToken.id}`).header('cache-control', 'no-store');
      return { ...showApiToken(apiToken), token };
    },

    listApiTokens: ({ query }) =>
      cursors.page(
        { list: 'api-tokens', owner: '', query },
        (slice) => apiTokens.page(slice),
        ({ state }) => showApiToken(state),
      ),

    async revokeApiToken(request, reply) {
      const actor = { ...actorOf(request), userId: request.caller.sub };
      setRevokedHeader(reply, await revokeApiToken(parts, request.params.id, actor));
      return null;
    },

    async getApiToken({ params }) {
      const found = await apiTokens.findByHash(params.hash);
      if (!found || found.expiresAt <= now()) throw notFound('API token');
      await apiTokens.used(found.id, now());
      return { id: found.id, scopes: [...found.scopes], expiresAt: found.expiresAt.toISOString() };
    },
  };
}

function showApiToken(token: ApiToken): identityHttp.ApiTokenBody {
  const { id, name, scopes, createdBy, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    name,
    scopes: [...scopes],
    createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
