import type { Principal } from '@storefront/access-token';
import { identityHttp, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** A ticket that opens one live stream as the session that asked for it. */
export const storedStreamTicket = z.object({
  /** The hash of the ticket. */
  id: z.string(),
  userId: z.string(),
  sessionId: z.string(),
  /** The role and the user's token version of the access token that asked for the ticket. */
  role: identityHttp.role,
  ver: z.int(),
  expiresAt: z.date(),
});
export type StreamTicket = StateOf<typeof storedStreamTicket>;

const lifetimeMs = 30_000;

export function newStreamTicket(hash: string, { sub, sid, role, ver }: Principal, now: Date): StreamTicket {
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  return { id: hash, userId: sub, sessionId: sid, role: identityHttp.role.parse(role), ver, expiresAt };
}
