import type { Code, Purpose, User } from './user.ts';

/** A code that was just drawn. Its digits are nowhere but in `sealed`, which only the mailing service can open. */
export interface FreshCode {
  readonly id: string;
  readonly sealed: string;
  hashFor(user: Pick<User, 'id' | 'registration'>, purpose: Purpose): string;
}

export const hourMs = 60 * 60 * 1000;
export const codeRules = {
  lifetimeMs: 10 * 60 * 1000,
  cooldownMs: 60 * 1000,
  sentPerHour: 5,
  triesPerCode: 5,
  triesPerHour: 10,
} as const;

/** The times that lie within the last hour. */
export function withinHour(times: readonly Date[], now: Date): readonly Date[] {
  return times.filter((time) => now.getTime() - time.getTime() < hourMs);
}

/** When a code that is sent now ends, and when the next may be asked for. */
export function codeTimes(now: Date): { expiresAt: Date; resendAfter: Date } {
  return {
    expiresAt: new Date(now.getTime() + codeRules.lifetimeMs),
    resendAfter: new Date(now.getTime() + codeRules.cooldownMs),
  };
}

/**
 * The user with a new code in place of the older one, or null where too many were sent. A registration need not wait for
 * the cool-down of the one before it.
 */
export function withCode(
  user: User,
  purpose: Purpose,
  fresh: FreshCode,
  now: Date,
  cooldownMs: number = codeRules.cooldownMs,
): User | null {
  const sent = withinHour(user.codesSent[purpose], now);
  const last = sent.at(-1);
  if (sent.length >= codeRules.sentPerHour) return null;
  if (last && now.getTime() - last.getTime() < cooldownMs) return null;
  const code: Code = {
    id: fresh.id,
    hash: fresh.hashFor(user, purpose),
    expiresAt: codeTimes(now).expiresAt,
    attempts: 0,
  };
  return {
    ...user,
    codes: { ...user.codes, [purpose]: code },
    codesSent: { ...user.codesSent, [purpose]: [...sent, now] },
  };
}

/** How an event carries the code. */
export function sealedCode(fresh: FreshCode, now: Date): { sealedCode: string; codeExpiresAt: string } {
  return { sealedCode: fresh.sealed, codeExpiresAt: codeTimes(now).expiresAt.toISOString() };
}
