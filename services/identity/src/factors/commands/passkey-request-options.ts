import { identityErrors } from '@storefront/contracts';
import type { Webauthn } from '../secrets/webauthn.ts';
import type { Challenges, ChallengeUse } from '../store/challenges.ts';
import type { FactorStore } from '../store/factors.ts';
import { findWaitingLogin, type WaitingLoginNeeds } from './second-factor-login.ts';
import type { CallerSession, Device } from '../../domain/caller.ts';

interface Needs {
  readonly factors: FactorStore;
  readonly challenges: Challenges;
  readonly webauthn: Webauthn;
  readonly now: () => Date;
}

/** What any passkey needs to log in without a password. */
export function loginOptions(needs: Needs) {
  return requestOptions(needs, { purpose: 'log-in', boundTo: '' }, null);
}

/** What a passkey of the user needs to complete the login that waits for it. */
export async function mfaOptions(needs: Needs & WaitingLoginNeeds, mfaToken: string, device: Device) {
  const { hash, user } = await findWaitingLogin(needs, mfaToken, device);
  return requestOptions(needs, { purpose: 'mfa', boundTo: hash }, user.id);
}

/** What a passkey of the caller needs to prove who is calling. */
export async function reauthenticationOptions(needs: Needs, { sub, sid }: CallerSession) {
  const passkeys = (await needs.factors.load(sub))?.state.passkeys ?? [];
  if (passkeys.length === 0) throw identityErrors.secondFactorMissing();
  const options = await requestOptions(needs, { purpose: 'reauthenticate', boundTo: sid }, sub);
  return { ...options, userVerification: 'required' };
}

async function requestOptions({ factors, challenges, webauthn, now }: Needs, use: ChallengeUse, userId: string | null) {
  const allowed = userId === null ? null : ((await factors.load(userId))?.state.passkeys ?? []);
  const challenge = webauthn.newChallenge();
  await challenges.add(challenge, use, now());
  return webauthn.requestOptions(challenge, allowed);
}
