import type { CodePurpose, OneTimeCode, User } from './user.ts';

/** A code that was just made. Its digits are only in `sealed`, which the mailing service alone can open. */
export interface NewCode {
  readonly id: string;
  readonly sealed: string;
  hashFor(user: Pick<User, 'id' | 'registration'>, purpose: CodePurpose): string;
}

export const hourMs = 60 * 60 * 1000;
export const codeRules = {
  lifetimeMs: 10 * 60 * 1000,
  cooldownMs: 60 * 1000,
  sentPerHour: 5,
  triesPerCode: 5,
  triesPerHour: 10,
} as const;

/** When a code that is sent now expires, and when the next one may be requested. */
export function codeTimes(now: Date): { expiresAt: Date; resendAfter: Date } {
  return {
    expiresAt: new Date(now.getTime() + codeRules.lifetimeMs),
    resendAfter: new Date(now.getTime() + codeRules.cooldownMs),
  };
}

/**
 * The user with the new code in place of the older one, or null where too many were sent. `cooldownMs` is the shortest time
 * between two codes; a registration passes 0.
 */
export function withCode(
  user: User,
  purpose: CodePurpose,
  newCode: NewCode,
  now: Date,
  cooldownMs: number = codeRules.cooldownMs,
): User | null {
  const sent = user.codesSent[purpose].filter((time) => now.getTime() - time.getTime() < hourMs);
  const last = sent.at(-1);
  if (sent.length >= codeRules.sentPerHour) return null;
  if (last && now.getTime() - last.getTime() < cooldownMs) return null;
  const code: OneTimeCode = {
    id: newCode.id,
    hash: newCode.hashFor(user, purpose),
    expiresAt: codeTimes(now).expiresAt,
    attempts: 0,
  };
  return {
    ...user,
    codes: { ...user.codes, [purpose]: code },
    codesSent: { ...user.codesSent, [purpose]: [...sent, now] },
  };
}

/** The fields in which an event carries the code. */
export function sealedCode(code: NewCode, now: Date): { sealedCode: string; codeExpiresAt: string } {
  return { sealedCode: code.sealed, codeExpiresAt: codeTimes(now).expiresAt.toISOString() };
}
