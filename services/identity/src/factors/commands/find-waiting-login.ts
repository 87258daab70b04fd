import type { Device } from '../../sessions/domain/session.ts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';
import { assertUsable } from '../domain/mfa-token.ts';
import type { OpaqueTokens } from '../secrets/opaque-tokens.ts';
import type { MfaTokens } from '../store/mfa-tokens.ts';

export interface WaitingLoginNeeds {
  readonly users: Users;
  readonly mfaTokens: MfaTokens;
  readonly newMfaTokens: OpaqueTokens;
  readonly now: () => Date;
}

/** The login of this device that waits for a second factor. Throws `invalid_mfa_token`. */
export async function findWaitingLogin(
  { users, mfaTokens, newMfaTokens, now }: WaitingLoginNeeds,
  mfaToken: string,
  device: Device,
): Promise<{ hash: string; user: User }> {
  const hash = newMfaTokens.hashOf(mfaToken);
  const token = await mfaTokens.find(hash, now());
  const user = token && (await users.load(token.userId))?.state;
  return { hash, ...assertUsable(token, user ?? null, device) };
}
