import { invalidRefreshToken } from './errors.ts';
import { endSession } from './log-out.ts';
import type { Identity } from './ports.ts';
import type { Revocation } from './revocation.ts';
import { refreshEnd, tokenPair } from './tokens.ts';
import type { TokenPair } from './tokens.ts';

export type Refreshed =
  | { readonly kind: 'refreshed'; readonly tokens: TokenPair }
  /** A token came back that was rotated before: somebody has a copy, so the session is over for both. */
  | { readonly kind: 'reused'; readonly revocation: Revocation | null };

/** A new pair for a refresh token, which dies by it. */
export async function refresh(identity: Identity, token: string): Promise<Refreshed> {
  const { refreshTokens, sessions, users } = identity;
  const now = identity.now();
  const given = refreshTokens.read(token);
  const session = given && (await sessions.byFamily(given.family, now));
  if (!given || !session) throw invalidRefreshToken();
  const user = (await users.load(session.userId))?.state;
  const isAllowed = user && (user.status === 'active' || user.status === 'approved');
  if (!isAllowed || user.tokenVersion !== session.ver) throw invalidRefreshToken();
  const next = refreshTokens.rotate(token);
  const times = { lastUsedAt: now, expiresAt: refreshEnd(identity, now) };
  if (await sessions.rotate({ ...session, secret: given.secret }, next.secret, times))
    return { kind: 'refreshed', tokens: await tokenPair(identity, user, session, next.token) };
  return { kind: 'reused', revocation: await endSession(identity, session, session.id, 'refresh-reuse') };
}
