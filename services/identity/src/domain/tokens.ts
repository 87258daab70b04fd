import type { Identity } from './ports.ts';
import type { Device, Session } from './session.ts';
import type { User } from './user.ts';

/** What a logged-in device holds. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshExpiresIn: number;
}

/** Logs a device in. */
export async function openSession(identity: Identity, user: User, device: Device): Promise<TokenPair> {
  const now = identity.now();
  const { token, family, secret } = identity.refreshTokens.create();
  const session: Session = {
    id: identity.newId('sess'),
    userId: user.id,
    ver: user.tokenVersion,
    family,
    secret,
    ...device,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: refreshEnd(identity, now),
    endedAt: null,
  };
  await identity.sessions.add(session);
  return tokenPair(identity, user, session, token);
}

export async function tokenPair(
  { accessTokens, rules }: Identity,
  user: User,
  session: Session,
  refreshToken: string,
): Promise<TokenPair> {
  const claims = { sub: user.id, role: user.role, sid: session.id, ver: session.ver };
  return {
    accessToken: await accessTokens.sign(claims, rules.accessSeconds),
    refreshToken,
    tokenType: 'Bearer',
    expiresIn: rules.accessSeconds,
    refreshExpiresIn: rules.refreshSeconds,
  };
}

export function refreshEnd({ rules }: Identity, now: Date): Date {
  return new Date(now.getTime() + rules.refreshSeconds * 1000);
}
