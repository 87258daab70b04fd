import { identityErrors, type Actor } from '@storefront/contracts';
import { mayKeepSession } from '../../domain/admission.ts';
import type { Revocation } from '../../domain/revocation.ts';
import { mayAnswerAgain, type Session } from '../domain/session.ts';
import type { User } from '../../domain/user.ts';
import { endSession, type EndSessionNeeds } from './end-sessions.ts';
import { refreshExpiry, tokenPair, type SessionNeeds, type TokenPair } from './open-session.ts';

export type RefreshResult =
  | { readonly kind: 'refreshed'; readonly tokens: TokenPair }
  /** The token was used before, so somebody has a copy of it: the session was ended. */
  | { readonly kind: 'reused'; readonly revocation: Revocation | null };

/**
 * Exchanges a refresh token for a new pair of tokens. A token that the same kind of device sends again within 20 s gets
 * the same pair once more, since a client may have lost the answer or have two tabs. Any other second use of a token
 * ends the session.
 */
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
  const tokens =
    (session.secret === hashes.secret && (await rotate(needs, token, { session, user }, actor.device, now))) ||
    (await answerAgain(needs, token, { ...hashes, device: actor.device }, now));
  if (tokens) return { kind: 'refreshed', tokens };
  const owner = { id: session.userId, ver: session.ver };
  return { kind: 'reused', revocation: await endSession(needs, owner, session.id, 'refresh-reuse', actor) };
}

/** The new pair of tokens; null where another request has exchanged the refresh token meanwhile. */
async function rotate(
  needs: SessionNeeds,
  token: string,
  { session, user }: { readonly session: Session; readonly user: User },
  device: string | null,
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
    rotation: { from: session.secret, at: now, device, sealedPair },
  });
  return isFirstUse ? pair : null;
}

/** The pair that the refresh token was exchanged for; null where this pair must not be returned again. */
async function answerAgain(
  { sessions, refreshTokens: secrets }: Pick<SessionNeeds, 'sessions' | 'refreshTokens'>,
  token: string,
  use: { readonly family: string; readonly secret: string; readonly device: string | null },
  now: Date,
): Promise<TokenPair | null> {
  const rotation = (await sessions.findByFamily(use.family, now))?.rotation ?? null;
  if (!mayAnswerAgain(rotation, use, now) || !(await sessions.useRotation(use.family, rotation))) return null;
  return secrets.openPair(token, rotation.sealedPair);
}
