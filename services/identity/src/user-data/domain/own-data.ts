import { http } from '@storefront/contracts';
import type { ControlChange } from '../../factors/domain/control-change.ts';
import { codesLeft, type Factors } from '../../factors/domain/factors.ts';
import type { Session } from '../../sessions/domain/session.ts';
import type { User } from '../../domain/user.ts';

// What identity keeps about a user, for an export: everything but secrets and their hashes.

export function showAccount(user: User, factors: Factors | null, changes: readonly ControlChange[]): object {
  const { id, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt } = user;
  const email = http.emailAsTyped(user);
  return {
    user: { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt },
    secondFactors: factors && {
      authenticatorApp: factors.totp && { confirmedAt: factors.totp.confirmedAt },
      passkeys: factors.passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
      recoveryCodesLeft: codesLeft(factors),
    },
    changes: changes.map(({ kind, before, createdAt, expiresAt }) => ({
      kind,
      emailBefore: http.emailAsTyped(before),
      createdAt,
      expiresAt,
    })),
  };
}

export function showSession({ device, ip, createdAt, lastUsedAt, expiresAt }: Session): object {
  return { device, ip, createdAt, lastUsedAt, expiresAt };
}
