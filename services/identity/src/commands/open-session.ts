import type { AccessTokenSigner } from '@storefront/access-token';
import { newId } from '@storefront/contracts';
import type { Device, Session } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import type { RefreshTokens } from '../secrets/refresh-tokens.ts';
import type { Sessions } from '../store/sessions.ts';

/** Lifetimes of tokens, in seconds. */
export interface TokenLifetimes {
  readonly accessSeconds: number;
  /** Of a refresh token that is not used. */
  readonly refreshSeconds: number;
}

export interface SessionNeeds {
  readonly sessions: Sessions;
  readonly refreshTokens: RefreshTokens;
  readonly accessTokens: AccessTokenSigner;
  readonly lifetimes: TokenLifetimes;
  readonly now: () => Date;
}

/** The tokens of a logged-in device. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshExpiresIn: number;
}

/** Logs a device in. */
export async function openSession(needs: SessionNeeds, user: User, device: Device): Promise<TokenPair> {
  const now = needs.now();
  const { token, family, secret } = needs.refreshTokens.create();
  const session: Session = {
    id: newId('sess'),
    userId: user.id,
    ver: user.tokenVersion,
    family,
    secret,
    ...device,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: refreshExpiry(needs.lifetimes, now),
    endedAt: null,
  };
  await needs.sessions.add(session);
  return tokenPair(needs, user, session, token);
}

export async function tokenPair(
  { accessTokens, lifetimes }: Pick<SessionNeeds, 'accessTokens' | 'lifetimes'>,
  user: User,
  session: Session,
  refreshToken: string,
): Promise<TokenPair> {
  const claims = { sub: user.id, role: user.role, sid: session.id, ver: session.ver };
  return {
    accessToken: await accessTokens.sign(claims, lifetimes.accessSeconds),
    refreshToken,
    tokenType: 'Bearer',
    expiresIn: lifetimes.accessSeconds,
    refreshExpiresIn: lifetimes.refreshSeconds,
  };
}

export function refreshExpiry({ refreshSeconds }: TokenLifetimes, now: Date): Date {
  return new Date(now.getTime() + refreshSeconds * 1000);
}
