import { identityErrors } from '@storefront/contracts';
import type { ChallengeUse } from '../store/challenges.ts';
import { findWaitingLogin } from './second-factor-login.ts';
import type { CallerSession, Device } from '../../domain/caller.ts';
import type { FactorNeeds } from './factor-needs.ts';

/** The options for a browser to log in by any passkey, without a password. */
export function loginOptions(needs: FactorNeeds) {
  return requestOptions(needs, { purpose: 'log-in', boundTo: '' }, null);
}

/** The options for a browser to complete the login that waits for a second factor, by a passkey of the user. */
export async function mfaOptions(needs: FactorNeeds, mfaToken: string, device: Device) {
  const { hash, user } = await findWaitingLogin(needs, mfaToken, device);
  return requestOptions(needs, { purpose: 'mfa', boundTo: hash }, user.id);
}

/** The options for a browser to prove who is calling, by a passkey of the caller. */
export async function reauthenticationOptions(needs: FactorNeeds, { sub, sid }: CallerSession) {
  const passkeys = (await needs.factors.load(sub))?.state.passkeys ?? [];
  if (passkeys.length === 0) throw identityErrors.secondFactorMissing();
  const options = await requestOptions(needs, { purpose: 'reauthenticate', boundTo: sid }, sub);
  return { ...options, userVerification: 'required' };
}

async function requestOptions(
  { factors, challenges, webauthn, now }: FactorNeeds,
  use: ChallengeUse,
  userId: string | null,
) {
  const allowed = userId === null ? null : ((await factors.load(userId))?.state.passkeys ?? []);
  const challenge = webauthn.newChallenge();
  await challenges.add(challenge, use, now());
  return webauthn.requestOptions(challenge, allowed);
}
