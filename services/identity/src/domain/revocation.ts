import { fact, identityEvents } from '@storefront/contracts';
import type { Fact } from '@storefront/contracts';
import type { z } from 'zod';
import type { User } from './user.ts';

type Reason = z.infer<typeof identityEvents.tokensRevoked.data>['reason'];

/** Which tokens have died: all of the user below `tokenVersion`, or those of one session. */
export interface Revocation {
  readonly userId: string;
  readonly tokenVersion: number;
  readonly sessionId: string | null;
}

interface Revoked {
  readonly user: User;
  readonly fact: Fact;
  readonly revocation: Revocation;
}

/** All tokens of the user are dead from here on. */
export function revokeAll(user: User, reason: Reason, now: Date): Revoked {
  const tokenVersion = user.tokenVersion + 1;
  return {
    user: { ...user, tokenVersion, tokensRevokedAt: now, endedSessions: [] },
    fact: fact(identityEvents.tokensRevoked, user.id, { tokenVersion, sessionId: null, reason }),
    revocation: { userId: user.id, tokenVersion, sessionId: null },
  };
}

/** The tokens of one session are dead; `accessSeconds` is how long the last of them would have lived. */
export function revokeSession(
  user: User,
  sessionId: string,
  reason: Reason,
  { now, accessSeconds }: { now: Date; accessSeconds: number },
): Revoked {
  const { tokenVersion } = user;
  const ended = { id: sessionId, until: new Date(now.getTime() + revocationKeptMs(accessSeconds)) };
  const others = user.endedSessions.filter((session) => session.until > now && session.id !== sessionId);
  return {
    user: { ...user, endedSessions: [...others, ended] },
    fact: fact(identityEvents.tokensRevoked, user.id, { tokenVersion, sessionId, reason }),
    revocation: { userId: user.id, tokenVersion, sessionId },
  };
}

/** How long a revocation matters: the life of an access token, and a minute for clocks that differ. */
export function revocationKeptMs(accessSeconds: number): number {
  return (accessSeconds + 60) * 1000;
}
