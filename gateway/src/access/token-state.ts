import { commonErrors, identityHttp } from '@storefront/contracts';
import type { RevocableToken, Revocations } from '../domain/revocations.ts';
import type { InternalClient } from '../internal-client.ts';

const tokenState = identityHttp.tokenState.pick({ ver: true, sessionAlive: true });

/**
 * Asks identity whether a token is valid; used while the table of revocations is incomplete. Every call sends its own
 * request, because an answer to an earlier request may be older than a logout.
 * A revoked token is added to the table, so a client can't cause more requests to identity with it. Throws 503 where
 * identity does not answer.
 */
export function createTokenState(
  identity: InternalClient,
  revocations: Revocations,
): (token: RevocableToken) => Promise<boolean> {
  return async ({ sub, sid, ver }) => {
    try {
      const path = `/internal/token-state/${encodeURIComponent(sub)}/${encodeURIComponent(sid)}`;
      const { status, body } = await identity.get(path);
      const { sessionAlive, ver: lowest } = status === 404 ? { sessionAlive: false, ver } : tokenState.parse(body);
      if (!sessionAlive) revocations.revokeSession(sid, performance.now());
      if (lowest > ver) revocations.revokeUser(sub, lowest, performance.now());
      return sessionAlive && lowest <= ver;
    } catch {
      throw commonErrors.revocationUnknown();
    }
  };
}
