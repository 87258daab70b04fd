import { randomBytes } from 'node:crypto';
import type { AccessTokenSigner } from '@storefront/access-token';
import { newId, system } from '@storefront/contracts';
import type { Session, TokenLifetimes } from '../domain/session.ts';
import type { User } from '../../domain/user.ts';
import type { RefreshTokens } from '../secrets/refresh-tokens.ts';
import type { KnownClients } from '../store/known-clients.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { Users } from '../../store/users.ts';
import { endSession } from './end-sessions.ts';
import type { Device, Proof } from '../../domain/caller.ts';
import { type AdminMfa, roleOfSession } from '../../domain/session-role.ts';

export interface SessionNeeds {
  readonly users: Users;
  readonly sessions: SessionStore;
  readonly knownClients: KnownClients;
  readonly refreshTokens: RefreshTokens;
  readonly accessTokens: AccessTokenSigner;
  readonly lifetimes: TokenLifetimes;
  readonly adminMfa: AdminMfa;
  readonly now: () => Date;
}

/** The tokens of a logged-in device. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  /** The lifetimes of the access token and of the refresh token, in seconds. */
  readonly expiresIn: number;
  readonly refreshExpiresIn: number;
}

export interface OpenedSession {
  readonly tokens: TokenPair;
  /** A client that sends this token with its next login is recognised as a device that has logged in before. */
  readonly deviceToken: string;
}

export const mostSessions = 100;
const deviceTokenBytes = 16;

/** Logs in a device that has just given this proof. Beyond a hundred sessions of the user the oldest ones are ended. */
export async function openSession(
  needs: SessionNeeds,
  user: User,
  device: Device,
  proof: Proof,
): Promise<OpenedSession> {
  const now = needs.now();
  const { token, family, secret } = needs.refreshTokens.create();
  const deviceToken = device.deviceToken ?? randomBytes(deviceTokenBytes).toString('base64url');
  const session: Session = {
    id: newId('sess'),
    userId: user.id,
    ver: user.tokenVersion,
    family,
    secret,
    device: device.device,
    ip: device.ip,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: refreshExpiry(needs.lifetimes, now, now),
    endedAt: null,
    rotation: null,
    ...proof,
  };
  await Promise.all([needs.sessions.add(session), needs.knownClients.remember(user.id, { ...device, deviceToken })]);
  for (const id of await needs.sessions.beyond(user.id, mostSessions))
    await endSession(needs, { id: user.id, ver: user.tokenVersion }, id, 'session-ended', system);
  return { tokens: await tokenPair(needs, user, session, token), deviceToken };
}

/** Signs an access token of the session; returns it with the refresh token. */
export async function tokenPair(
  { accessTokens, lifetimes, adminMfa }: Pick<SessionNeeds, 'accessTokens' | 'lifetimes' | 'adminMfa'>,
  user: User,
  session: Session,
  refreshToken: string,
): Promise<TokenPair> {
  const claims = { sub: user.id, role: roleOfSession(user, session, adminMfa), sid: session.id, ver: session.ver };
  return {
    accessToken: await accessTokens.sign(claims, lifetimes.accessSeconds),
    refreshToken,
    tokenType: 'Bearer',
    expiresIn: lifetimes.accessSeconds,
    refreshExpiresIn: Math.floor((session.expiresAt.getTime() - session.lastUsedAt.getTime()) / 1000),
  };
}

/** When a refresh token that is issued now expires, which is never later than its session. */
export function refreshExpiry({ refreshSeconds, sessionSeconds }: TokenLifetimes, sessionBegan: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + refreshSeconds * 1000, sessionBegan.getTime() + sessionSeconds * 1000));
}
