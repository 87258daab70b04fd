import { identityErrors, type identityHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { User } from '../../domain/user.ts';
import { factorRules, reportGuessing, waitSeconds, type Factors } from '../domain/factors.ts';
import { usePasskey } from '../domain/passkeys.ts';
import { useRecoveryCode } from '../domain/recovery-codes.ts';
import { useTotp } from '../domain/totp.ts';
import type { ChallengeUse } from '../store/challenges.ts';
import type { FactorNeeds } from './factor-needs.ts';

/** Exactly one of these fields is set. */
export interface FactorProof {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly passkey?: z.output<typeof identityHttp.passkeyAnswer> | undefined;
}

interface PasskeyTerms {
  /** The purpose, and the session or waiting login, for which the challenge must have been made. */
  readonly challenge: ChallengeUse;
  /** Whether the passkey must have requested a fingerprint, a face or a PIN. */
  readonly mustVerifyUser: boolean;
}

/**
 * Checks the proof of a second factor of the user. Each code works only once. A try is counted before the code is
 * compared. Throws `invalid_factor`, whatever is wrong, and `too_many_attempts` after too many wrong codes.
 */
export async function proveFactor(
  needs: FactorNeeds,
  user: User,
  { code, recoveryCode, passkey }: FactorProof,
  terms: PasskeyTerms,
): Promise<void> {
  const factors = (await needs.factors.load(user.id))?.state;
  if (!factors) throw identityErrors.invalidFactor();
  if (passkey) return provePasskey(needs, factors, passkey, terms);
  // A recovery code can't be guessed, so it works even after too many wrong codes of the authenticator app.
  const maxInRow = recoveryCode === undefined ? factorRules.triesInRow : Number.MAX_SAFE_INTEGER;
  if (!(await needs.factors.countTry(user.id, needs.now(), maxInRow))) throw tooManyTries(factors, needs.now());
  try {
    if (code !== undefined) await proveTotp(needs, factors, code);
    else await proveRecoveryCode(needs, user, recoveryCode ?? '');
  } catch (error) {
    await needs.factors.change(user.id, (current) => reportGuessing(current, user));
    throw error;
  }
}

function tooManyTries(factors: Factors, now: Date): Error {
  const retryAfterSeconds = waitSeconds(factors, now) || factorRules.windowMs / 1000;
  return identityErrors.tooManyAttempts().with({ retryAfterSeconds });
}

async function proveTotp({ factors, totpSecrets, now }: FactorNeeds, { id, totp }: Factors, code: string) {
  const step = totp && (await totpSecrets.stepOf(id, totp.sealed, code, now()));
  if (!totp || step === null) throw identityErrors.invalidFactor();
  await factors.change(id, (current) => useTotp(current, totp.sealed, step));
}

async function proveRecoveryCode({ factors, recoveryCodes, now }: FactorNeeds, user: User, code: string) {
  const hash = recoveryCodes.hashOf(user.id, code);
  await factors.change(user.id, (current) => useRecoveryCode(current, user, hash, now()));
}

async function provePasskey(
  { factors, challenges, webauthn, now }: FactorNeeds,
  { id, passkeys }: Factors,
  answer: NonNullable<FactorProof['passkey']>,
  { challenge: use, mustVerifyUser }: PasskeyTerms,
) {
  const challenge = webauthn.challengeOf(answer);
  const passkey = passkeys.find(({ credentialId }) => credentialId === answer.id);
  if (challenge === null || !(await challenges.use(challenge, use, now())) || !passkey)
    throw identityErrors.invalidFactor();
  const used = await webauthn.verifyAnswer(challenge, answer, passkey, mustVerifyUser);
  await factors.change(id, (current) => usePasskey(current, used, now()));
}
