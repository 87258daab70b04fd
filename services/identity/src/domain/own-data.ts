import type { Activity } from '../audit/domain/activity.ts';
import type { Reversal } from '../email-change/domain/new-email.ts';
import { codesLeft } from '../factors/domain/factors.ts';
import type { Factors } from '../factors/domain/factors.ts';
import type { Session } from './session.ts';
import type { User } from './user.ts';

/** What identity keeps about a user, for an export: everything but secrets and their hashes. */
export function ownData(
  user: User,
  {
    sessions,
    factors,
    formerEmails,
    activity,
  }: {
    readonly sessions: readonly Session[];
    readonly factors: Factors | null;
    readonly formerEmails: readonly Reversal[];
    readonly activity: readonly Activity[];
  },
) {
  const { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt } = user;
  return {
    user: { id, email, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt },
    sessions: sessions.map((session) => ({
      device: session.device,
      ip: session.ip,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: session.expiresAt,
    })),
    activity,
    secondFactors: factors && {
      authenticatorApp: factors.totp && { confirmedAt: factors.totp.confirmedAt },
      passkeys: factors.passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
      recoveryCodesLeft: codesLeft(factors),
    },
    formerEmails: formerEmails.map(({ email, createdAt, expiresAt }) => ({ email, createdAt, expiresAt })),
  };
}
