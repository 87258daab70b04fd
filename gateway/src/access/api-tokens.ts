import { hash } from 'node:crypto';
import { commonErrors, identityHttp } from '@storefront/contracts';
import { LRUCache } from 'lru-cache';
import type { Revocations } from '../domain/revocations.ts';
import type { InternalClient } from '../internal-client.ts';
import type { VerifiedCaller } from './verified-caller.ts';

/** A program whose API token was verified. `askedAt` is the time of `performance.now()` before identity was asked. */
interface VerifiedProgram {
  readonly caller: VerifiedCaller;
  readonly askedAt: number;
}

export interface ApiTokens {
  /** What identity said about the token within the last minute, if the revocations since then are known. */
  recall(token: string): VerifiedProgram | undefined;
  /**
   * Asks identity. Throws 401 for a token that identity does not know, has revoked or that has expired, and 503 where
   * identity does not answer.
   */
  ask(token: string): Promise<VerifiedProgram>;
}

// Identity notes with each question when a token was last used, so this is also how exactly it knows.
const rememberedMs = 60_000;

/** Whether a bearer token has the form of an API token. */
export const isApiToken = (token: string): boolean => identityHttp.apiTokenPattern.test(token);

/**
 * Verifies API tokens by their hash, under which answers are kept too: a token stays in memory no longer than its request.
 * A revoked token is refused by the table of revocations: its id is in there like that of a session.
 */
export function createApiTokens(identity: InternalClient, revocations: Pick<Revocations, 'gaps'>): ApiTokens {
  const remembered = new LRUCache<string, VerifiedProgram & { readonly gaps: number }>({ max: 10_000 });
  const keyOf = (token: string) => hash('sha256', token, 'base64url');
  return {
    recall(token) {
      const known = remembered.get(keyOf(token));
      const isRecent = known !== undefined && performance.now() - known.askedAt < rememberedMs;
      return isRecent && known.gaps === revocations.gaps() ? known : undefined;
    },
    async ask(token) {
      const key = keyOf(token);
      const [askedAt, gaps] = [performance.now(), revocations.gaps()];
      const { id, scopes, expiresAt } = await read(key);
      const caller = { sub: id, sid: id, ver: 1, role: 'program', scopes, exp: Date.parse(expiresAt) / 1000 } as const;
      remembered.set(key, { caller, askedAt, gaps });
      return { caller, askedAt };
    },
  };

  async function read(key: string): Promise<identityHttp.ApiTokenState> {
    const answer = await identity.get(`/internal/api-tokens/${key}`).catch(() => undefined);
    if (answer?.status === 404) {
      remembered.delete(key);
      throw commonErrors.invalidToken('The API token is not valid');
    }
    const state = identityHttp.apiTokenState.safeParse(answer?.body);
    if (!state.success) throw commonErrors.revocationUnknown();
    return state.data;
  }
}
