import { identityHttp } from '@storefront/contracts';
import { unavailable } from '@storefront/service-kit';
import type { Ask } from '../ask.ts';
import type { TokenFacts } from '../domain/revocations.ts';

const tokenState = identityHttp.tokenState.pick({ ver: true, sessionAlive: true });

/**
 * Asks identity whether a token is alive, for the times when the gateway's own knowledge is not complete. Each call is an
 * asking of its own: an answer that was on its way already may be older than a logout. 503 where identity can't say.
 */
export function createTokenState(ask: Ask): (token: TokenFacts) => Promise<boolean> {
  return async ({ sub, sid, ver }) => {
    try {
      const { status, body } = await ask(`/internal/token-state/${encodeURIComponent(sub)}/${encodeURIComponent(sid)}`);
      if (status === 404) return false;
      const state = tokenState.parse(body);
      return state.sessionAlive && state.ver <= ver;
    } catch {
      throw unavailable('revocation_unknown', "Whether this token still counts can't be told for the moment.");
    }
  };
}
