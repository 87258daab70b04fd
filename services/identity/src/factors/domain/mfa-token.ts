import { identityErrors, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import type { User } from '../../domain/user.ts';
import type { Device } from '../../domain/caller.ts';

/** A login that waits for a second factor. */
export const storedMfaToken = z.object({
  /** The hash of the token. */
  id: z.string(),
  userId: z.string(),
  /** The user's token version at the login. If the user gets a higher version, this login is no longer valid. */
  ver: z.int(),
  /** The device that logged in. Another device can't complete the login. */
  device: z.string().nullable(),
  tries: z.int(),
  expiresAt: z.date(),
});
export type MfaToken = StateOf<typeof storedMfaToken>;

const lifetimeMs = 5 * 60 * 1000;

export function newMfaToken(hash: string, user: User, { device }: Device, now: Date): MfaToken {
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  return { id: hash, userId: user.id, ver: user.tokenVersion, device, tries: 0, expiresAt };
}

/** Returns the user of a token that is valid for this device. Throws `invalid_mfa_token`. */
export function assertUsable(token: MfaToken | null, user: User | null, { device }: Device): { user: User } {
  if (!token || !user || user.tokenVersion !== token.ver || token.device !== device)
    throw identityErrors.invalidMfaToken();
  return { user };
}
