import { audited, changed, identityErrors, newId, withFacts, type Actor, type Scope } from '@storefront/contracts';
import { revokeSession, type Revocation } from '../../domain/revocation.ts';
import type { OpaqueTokens } from '../../secrets/opaque-tokens.ts';
import { newApiToken, type ApiToken } from '../domain/api-token.ts';
import type { ApiTokens } from '../store/api-tokens.ts';

export interface ApiTokenNeeds {
  readonly apiTokens: ApiTokens;
  readonly newTokens: OpaqueTokens;
  readonly accessSeconds: number;
  readonly now: () => Date;
}

const mostTokens = 100;

/** Creates an API token. Returns it with the secret, of which only the hash is stored. */
export async function createApiToken(
  { apiTokens, newTokens, now }: Pick<ApiTokenNeeds, 'apiTokens' | 'newTokens' | 'now'>,
  wanted: { readonly name: string; readonly scopes: readonly Scope[]; readonly expiresAt?: Date | undefined },
  actor: Actor & { readonly userId: string },
): Promise<{ apiToken: ApiToken; token: string }> {
  const id = newId('apit');
  const { token, hash } = newTokens.create();
  const apiToken = newApiToken({ ...wanted, id, hash, createdBy: actor.userId }, now());
  // Two at once may make one more: the limit only keeps the collection small.
  if ((await apiTokens.count({}, { hint: 'newest', limit: mostTokens })) === mostTokens)
    throw identityErrors.tooManyApiTokens(mostTokens);
  const { name, scopes, expiresAt } = apiToken;
  const details = { name, scopes: scopes.join(' '), expiresAt: expiresAt.toISOString() };
  const entry = audited('identity', actor, 'api-token-created', { object: { type: 'api-token', id }, details });
  await apiTokens.change(id, () => changed(apiToken, [entry]));
  return { apiToken, token };
}

/**
 * Revokes an API token: deletes it, and ends it as a session of the administrator who revokes it, all or nothing. So
 * gateways hear of it as they hear of every session that ends. Throws `not_found` where there is no such token.
 */
export async function revokeApiToken(
  { apiTokens, accessSeconds, now }: Pick<ApiTokenNeeds, 'apiTokens' | 'accessSeconds' | 'now'>,
  id: string,
  actor: Actor & { readonly userId: string },
): Promise<Revocation> {
  const object = { type: 'api-token', id };
  const revocation = await apiTokens.revoke(id, actor.userId, ({ name }, administrator) =>
    withFacts(
      revokeSession(administrator, id, 'session-ended', { now: now(), accessSeconds }),
      audited('identity', actor, 'api-token-revoked', { object, details: { name } }),
    ),
  );
  if (!revocation) throw new Error(`${actor.userId} is no user`);
  return revocation;
}
