import { identityErrors } from '@storefront/contracts';
import type { User } from '../../domain/user.ts';
import type { Device } from '../../domain/caller.ts';

/** A login that waits for a second factor. */
export interface MfaToken {
  /** The hash of the token. */
  readonly id: string;
  readonly userId: string;
  /** The user's token version at the login. If the user gets a higher version, this login is no longer valid. */
  readonly ver: number;
  /** The device that logged in. Another device can't complete the login. */
  readonly device: string | null;
  readonly tries: number;
  readonly expiresAt: Date;
}

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
