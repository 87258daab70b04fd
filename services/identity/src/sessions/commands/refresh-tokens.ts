import { identityErrors, type Actor } from '@storefront/contracts';
import { mayKeepSession } from '../../domain/admission.ts';
import type { Revocation } from '../../domain/revocation.ts';
import { isIdle, mayAnswerAgain, takesTokenOf, type Session, type TokenHolder } from '../domain/session.ts';
import type { User } from '../../domain/user.ts';
import { endSession, type EndSessionNeeds } from './end-sessions.ts';
import { refreshExpiry, tokenPair, type SessionNeeds, type TokenPair } from './open-session.ts';

export type RefreshResult =
  | { readonly kind: 'refreshed'; readonly tokens: TokenPair }
  /**
   * The session was ended: the token was used before, or by another holder, so somebody has a copy of it; or the console
   * was left alone for too long.
   */
  | { readonly kind: 'ended'; readonly revocation: Revocation | null };

/** A refresh token that a client sends, and its hashes. */
interface Use {
  readonly token: string;
  readonly family: string;
  readonly secret: string;
  readonly device: string | null;
  readonly holder: TokenHolder;
}

type Exchange =
  | { readonly kind: 'refreshed'; readonly tokens: TokenPair }
  | { readonly kind: 'used-before' | 'idle'; readonly session: Session }
  | { readonly kind: 'no-session' };

/**
 * Exchanges a refresh token for a new pair of tokens. A token that the same kind of device sends again within 20 s gets
 * the same pair once more, since a client may have lost the answer or have two tabs. Any other second use of a token
 * ends the session.
 */
export async function refreshTokens(
  needs: SessionNeeds & EndSessionNeeds,
  token: string,
  actor: Actor,
  holder: TokenHolder = 'client',
): Promise<RefreshResult> {
  const hashes = needs.refreshTokens.read(token);
  if (!hashes) throw identityErrors.invalidRefreshToken();
  const use = { token, ...hashes, device: actor.device, holder };
  let result = await exchange(needs, use);
  if (result.kind !== 'refreshed') {
    // A primary that was just elected may not show for a moment what its predecessor has acknowledged: a session may
    // seem not to exist, or its token to be an older one. Nobody may be logged out for that.
    await needs.sessions.catchUp();
    result = await exchange(needs, use);
  }
  if (result.kind === 'refreshed') return result;
  if (result.kind === 'no-session') throw identityErrors.invalidRefreshToken();
  const { id, userId, ver } = result.session;
  const reason = result.kind === 'idle' ? 'session-ended' : 'refresh-reuse';
  return { kind: 'ended', revocation: await endSession(needs, { id: userId, ver }, id, reason, actor) };
}

/** Exchanges the token if the database shows a living session with it. */
async function exchange(needs: SessionNeeds, use: Use): Promise<Exchange> {
  const { sessions, users } = needs;
  const now = needs.now();
  const session = await sessions.findByFamily(use.family, now);
  const user = session && (await users.load(session.userId))?.state;
  if (!session || !user || !mayKeepSession(user) || user.tokenVersion !== session.ver) return { kind: 'no-session' };
  if (!takesTokenOf(session, use.holder)) return { kind: 'used-before', session };
  if (isIdle(session, needs.lifetimes, now)) return { kind: 'idle', session };
  const tokens =
    (session.secret === use.secret && (await rotate(needs, use, { session, user }, now))) ||
    (await answerAgain(needs, use, now));
  return tokens ? { kind: 'refreshed', tokens } : { kind: 'used-before', session };
}

/** The new pair of tokens; null where another request has exchanged the refresh token meanwhile. */
async function rotate(
  needs: SessionNeeds,
  { token, device, holder }: Use,
  { session, user }: { readonly session: Session; readonly user: User },
  now: Date,
): Promise<TokenPair | null> {
  const next = needs.refreshTokens.rotate(token);
  const expiresAt = refreshExpiry(needs.lifetimes, session.createdAt, now);
  const pair = await tokenPair(needs, user, { ...session, lastUsedAt: now, expiresAt }, next.token);
  const sealedPair = await needs.refreshTokens.sealPair(token, pair);
  const isFirstUse = await needs.sessions.replaceSecret(session.family, session.secret, {
    secret: next.secret,
    lastUsedAt: now,
    expiresAt,
    // The console sends the token that scripts have seen once, and never again.
    rotation: holder === 'keeping' ? null : { from: session.secret, at: now, device, sealedPair },
    inCookie: holder !== 'client',
  });
  return isFirstUse ? pair : null;
}

/** The pair that the refresh token was exchanged for; null where this pair must not be returned again. */
async function answerAgain(
  { sessions, refreshTokens: secrets }: Pick<SessionNeeds, 'sessions' | 'refreshTokens'>,
  use: Use,
  now: Date,
): Promise<TokenPair | null> {
  const rotation = (await sessions.findByFamily(use.family, now))?.rotation ?? null;
  if (!mayAnswerAgain(rotation, use, now) || !(await sessions.useRotation(use.family, rotation))) return null;
  return secrets.openPair(use.token, rotation.sealedPair);
}
