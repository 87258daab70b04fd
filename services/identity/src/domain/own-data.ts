import type { Reversal } from '../email-change/domain/new-email.ts';
import { codesLeft } from '../factors/domain/factors.ts';
import type { Factors } from '../factors/domain/factors.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

// What identity keeps about a user, for an export: everything but secrets and their hashes.

export function showAccount(user: User, factors: Factors | null, formerEmails: readonly Reversal[]): object {
  const { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt } = user;
  return {
    user: { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt },
    secondFactors: factors && {
      authenticatorApp: factors.totp && { confirmedAt: factors.totp.confirmedAt },
      passkeys: factors.passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
      recoveryCodesLeft: codesLeft(factors),
    },
    formerEmails: formerEmails.map(({ email, createdAt, expiresAt }) => ({ email, createdAt, expiresAt })),
  };
}

export function showSession({ device, ip, createdAt, lastUsedAt, expiresAt }: Session): object {
  return { device, ip, createdAt, lastUsedAt, expiresAt };
}
