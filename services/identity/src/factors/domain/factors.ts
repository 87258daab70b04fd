import {
  changed,
  fact,
  identityErrors,
  identityEvents,
  unchanged,
  type Decision,
  type Fact,
  type factorMethods,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { revertLinkFields, type RevertLink } from '../../domain/revert-link.ts';
import { personOf, type User } from '../../domain/user.ts';

const totp = z.object({
  /** The secret, encrypted. */
  sealed: z.string(),
  confirmedAt: z.date(),
  /** The time step of the last code that was used. Codes of this step and of earlier steps are refused. */
  lastStep: z.int(),
});

const pendingTotp = z.object({
  sealed: z.string(),
  /** The session that began the setup. Only this session can confirm it. */
  sessionId: z.string(),
  expiresAt: z.date(),
});

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** The browser's id of the passkey, in base64url. */
  credentialId: z.string(),
  /** The public key in COSE form, in base64url. */
  publicKey: z.string(),
  /**
   * How often the passkey was used, for passkeys that count. A number that has not grown shows a copy of the passkey.
   */
  counter: z.int(),
  transports: z.array(z.string()),
  backedUp: z.boolean(),
  createdAt: z.date(),
  lastUsedAt: z.date().nullable(),
});
export type Passkey = StateOf<typeof passkey>;

/** The factors that prove who a user is, besides the password. */
export const storedFactors = z.object({
  /** The user's id. */
  id: z.string(),
  totp: totp.nullable(),
  /** An authenticator app that was not confirmed yet. */
  pendingTotp: pendingTotp.nullable(),
  recoveryCodes: z.array(z.object({ hash: z.string(), usedAt: z.date().nullable() })),
  passkeys: z.array(passkey),
  /** The times of the tries since the last right code; newest first, at most 10 are kept. */
  codeTries: z.array(z.date()),
  /** The number of codes tried since the last proof. */
  triesInRow: z.int(),
});
export type Factors = StateOf<typeof storedFactors>;

export type FactorMethod = (typeof factorMethods)[number];
type FactorChange = z.infer<typeof identityEvents.secondFactorChanged.data>['change'];

export const factorRules = {
  /** How many codes may be tried within `windowMs`. */
  tries: 10,
  windowMs: 15 * 60 * 1000,
  /**
   * How many codes of the app may be tried since the last proof. After that only a passkey or a recovery code works.
   */
  triesInRow: 100,
  triesPerToken: 5,
  recoveryCodes: 10,
  passkeys: 20,
  setupMs: 10 * 60 * 1000,
} as const;

export function noFactors(userId: string): Factors {
  return {
    id: userId,
    totp: null,
    pendingTotp: null,
    recoveryCodes: [],
    passkeys: [],
    codeTries: [],
    triesInRow: 0,
  };
}

/** Whether a login by password needs a second factor. */
export function hasSecondFactor(factors: Factors | null): factors is Factors {
  return factors !== null && (factors.totp !== null || factors.passkeys.length > 0);
}

/** The methods that can complete a login; empty where there is no second factor. */
export function methodsOf(factors: Factors | null): FactorMethod[] {
  if (!hasSecondFactor(factors)) return [];
  return [
    ...(factors.totp ? (['totp'] as const) : []),
    ...(factors.passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(codesLeft(factors) > 0 ? (['recovery-code'] as const) : []),
  ];
}

function codesLeft({ recoveryCodes }: Pick<Factors, 'recoveryCodes'>): number {
  return recoveryCodes.filter(({ usedAt }) => usedAt === null).length;
}

/** The data about a user's factors that the API shows. */
export interface FactorSummary {
  readonly totp: Pick<StateOf<typeof totp>, 'confirmedAt'> | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
}

export function summaryOf(factors: Factors | null): FactorSummary {
  return {
    totp: factors?.totp ?? null,
    passkeys: factors?.passkeys ?? [],
    recoveryCodesLeft: factors ? codesLeft(factors) : 0,
  };
}

/** The data about the factors in an export: everything except secrets and their hashes. */
export function exportedFactors({ totp, passkeys, ...factors }: Factors): object {
  return {
    authenticatorApp: totp && { confirmedAt: totp.confirmedAt },
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
    recoveryCodesLeft: codesLeft(factors),
  };
}

/** Resets the counts of tries after a proof, so that earlier wrong codes no longer count. */
export function proved(factors: Factors): Factors {
  return { ...factors, codeTries: [], triesInRow: 0 };
}

/** The event about a change of the factors. It has the link that undoes the change, if there is a link. */
export function factorFact(user: User, change: FactorChange, factors: Factors, revertLink: RevertLink | null): Fact {
  const data = { ...personOf(user), change, recoveryCodesLeft: codesLeft(factors), ...revertLinkFields(revertLink) };
  return fact(identityEvents.secondFactorChanged, user.id, data);
}

/**
 * `next` are the factors after one was removed. If no second factor is left, the recovery codes are removed, too.
 * Throws `last_factor_required` where the user has to keep a second factor.
 */
export function withoutFactor(next: Factors, isRequired: boolean): Factors {
  if (next.totp !== null || next.passkeys.length > 0) return next;
  if (isRequired) throw identityErrors.lastFactorRequired();
  return { ...next, recoveryCodes: [] };
}

/** Seconds until a code may be tried again; 0 where it may be tried now. */
export function waitSeconds({ codeTries }: Factors, now: Date): number {
  const oldest = codeTries[factorRules.tries - 1];
  return oldest ? Math.max(0, (oldest.getTime() + factorRules.windowMs - now.getTime()) / 1000) : 0;
}

/** Has the owner informed of wrong codes, each time ten more codes in a row were wrong. */
export function reportGuessing(current: Factors | null, user: User): Decision<Factors, null> {
  if (!current || current.triesInRow === 0 || current.triesInRow % factorRules.tries !== 0) return unchanged(null);
  const data = { ...personOf(user), tries: current.triesInRow };
  return changed(current, [fact(identityEvents.secondFactorGuessed, user.id, data)], null);
}
