import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/**
 * A one-time code as it is stored: only its keyed hash. Each code belongs to one flow: a registration, a recovery or an
 * email change.
 */
export const oneTimeCode = z.object({
  /** Each code of a flow has a new id. */
  id: z.string(),
  hash: z.string(),
  expiresAt: z.date(),
  /** How often the code was tried, right or wrong. */
  attempts: z.int(),
});
export type StoredCode = StateOf<typeof oneTimeCode>;

/** What a code is for. A code is valid for its own purpose only. */
export type CodePurpose = 'verify' | 'reset' | 'change-email';

/** A code that was just made: six digits, or a long one that can't be guessed. */
export interface HashedCode {
  readonly id: string;
  /** The hash of the code for the flow with the id `flowId`. */
  hashFor(flowId: string, purpose: CodePurpose): string;
}

/** A code with the encrypted content of its mail, which only the mailing service can decrypt. */
export interface NewCode extends HashedCode {
  readonly sealed: string;
}

export const hourMs = 60 * 60 * 1000;
export const codeRules = {
  lifetimeMs: 10 * 60 * 1000,
  cooldownMs: 60 * 1000,
  sentPerHour: 5,
  triesPerCode: 5,
  /**
   * How many codes of six digits an email gets until one of them is entered. Further codes are long. With five tries
   * for each code, at most a hundred wrong codes in a row are ever compared.
   */
  digitCodesInARow: 20,
} as const;

/** When a code that is sent now expires, and when the next one may be requested. */
export function codeTimes(now: Date): { expiresAt: Date; resendAfter: Date } {
  return {
    expiresAt: new Date(now.getTime() + codeRules.lifetimeMs),
    resendAfter: new Date(now.getTime() + codeRules.cooldownMs),
  };
}

/** Whether a flow that sent codes at the times `sent` may send another code. */
export function maySendAgain(sent: readonly Date[], now: Date): boolean {
  const recent = withinHour(sent, now);
  const last = recent.at(-1);
  const isCool = last === undefined || now.getTime() - last.getTime() >= codeRules.cooldownMs;
  return isCool && recent.length < codeRules.sentPerHour;
}

/** Only the times that are less than an hour ago. */
export function withinHour(times: readonly Date[], now: Date): Date[] {
  return times.filter((time) => now.getTime() - time.getTime() < hourMs);
}

/** The code as it is stored with its flow. */
export function storedCode(code: HashedCode, flowId: string, purpose: CodePurpose, now: Date): StoredCode {
  return { id: code.id, hash: code.hashFor(flowId, purpose), expiresAt: codeTimes(now).expiresAt, attempts: 0 };
}

/** The fields in which an event carries the code. */
export function sealedCode(code: NewCode, now: Date): { sealedCode: string; codeExpiresAt: string } {
  return { sealedCode: code.sealed, codeExpiresAt: codeTimes(now).expiresAt.toISOString() };
}
