import { identityErrors } from '@storefront/contracts';
import type { Actor } from '@storefront/contracts';
import { mayKeepSession } from '../domain/admission.ts';
import type { Revocation } from '../domain/revocation.ts';
import { endSession } from './end-session.ts';
import type { EndSessionNeeds } from './end-session.ts';
import { refreshExpiry, tokenPair } from './open-session.ts';
import type { SessionNeeds, TokenPair } from './open-session.ts';

export type RefreshResult =
  | { readonly kind: 'refreshed'; readonly tokens: TokenPair }
  /** The token was used before, so somebody has a copy of it: the session was ended for both. */
  | { readonly kind: 'reused'; readonly revocation: Revocation | null };

/** Exchanges a refresh token, which works once, for a new pair of tokens. */
export async function refreshTokens(
  needs: SessionNeeds & EndSessionNeeds,
  token: string,
  actor: Actor,
): Promise<RefreshResult> {
  const { sessions, users } = needs;
  const now = needs.now();
  const hashes = needs.refreshTokens.read(token);
  const session = hashes && (await sessions.findByFamily(hashes.family, now));
  if (!hashes || !session) throw identityErrors.invalidRefreshToken();
  const user = (await users.load(session.userId))?.state;
  if (!user || !mayKeepSession(user) || user.tokenVersion !== session.ver) throw identityErrors.invalidRefreshToken();
  const next = needs.refreshTokens.rotate(token);
  const expiresAt = refreshExpiry(needs.lifetimes, session.createdAt, now);
  const isFirstUse = await sessions.replaceSecret(session.family, hashes.secret, {
    secret: next.secret,
    lastUsedAt: now,
    expiresAt,
  });
  if (isFirstUse)
    return {
      kind: 'refreshed',
      tokens: await tokenPair(needs, user, { ...session, lastUsedAt: now, expiresAt }, next.token),
    };
  const owner = { id: session.userId, ver: session.ver };
  return { kind: 'reused', revocation: await endSession(needs, owner, session.id, 'refresh-reuse', actor) };
}
