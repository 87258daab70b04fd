import { commonErrors, identityHttp } from '@storefront/contracts';
import type { RevocableToken } from '../domain/revocations.ts';
import type { InternalClient } from '../internal-client.ts';

const tokenState = identityHttp.tokenState.pick({ ver: true, sessionAlive: true });

/**
 * Asks identity whether a token is valid, for when the table of revocations is incomplete. Every call sends a request of
 * its own: an answer to an earlier one may be older than a logout. Throws 503 where identity does not answer.
 */
export function createTokenState(identity: InternalClient): (token: RevocableToken) => Promise<boolean> {
  return async ({ sub, sid, ver }) => {
    try {
      const path = `/internal/token-state/${encodeURIComponent(sub)}/${encodeURIComponent(sid)}`;
      const { status, body } = await identity.get(path);
      if (status === 404) return false;
      const state = tokenState.parse(body);
      return state.sessionAlive && state.ver <= ver;
    } catch {
      throw commonErrors.revocationUnknown();
    }
  };
}
