import { identityErrors, identityFields, invalidFields } from '@storefront/contracts';
import { checkCurrentPassword } from '../../commands/check-current-password.ts';
import type { PasswordCheckNeeds } from '../../commands/check-current-password.ts';
import { wrongCurrentPassword } from '../../domain/password.ts';
import type { Device } from '../../domain/session.ts';
import type { Sessions } from '../../store/sessions.ts';
import { hasSecondFactor } from '../domain/factors.ts';
import { freshUntil } from '../domain/fresh-proof.ts';
import { proveFactor } from './prove-factor.ts';
import type { FactorProof, ProofNeeds } from './prove-factor.ts';
import type { CallerSession } from './require-fresh-proof.ts';

type Needs = PasswordCheckNeeds & ProofNeeds & { readonly sessions: Sessions };

/**
 * Proves once more who is calling, for this session: by the password, or by a second factor where the user has one. The
 * password alone is not enough then: whoever has both a stolen session and the password must not reach the factors.
 */
export async function reauthenticate(
  needs: Needs,
  { sub, sid }: CallerSession,
  { password, ...proof }: FactorProof & { readonly password?: string | undefined },
  device: Device,
): Promise<{ authenticatedAt: Date; freshUntil: Date }> {
  const [user, factors] = await Promise.all([needs.users.load(sub), needs.factors.load(sub)]);
  if (!user) throw identityErrors.invalidFactor();
  const isByFactor = hasSecondFactor(factors?.state ?? null);
  if (isByFactor && password !== undefined) throw invalidFields([identityFields.secondFactorNeeded()]);
  if (password === undefined) {
    const challenge = { purpose: 'reauthenticate', boundTo: sid } as const;
    await proveFactor(needs, user.state, proof, { challenge, mustVerifyUser: true });
  } else {
    const checked = { email: user.state.email, user: user.state };
    await checkCurrentPassword(needs, checked, password, device, () => wrongCurrentPassword('/password'));
  }
  const authenticatedAt = needs.now();
  await needs.sessions.prove(sid, sub, { authenticatedAt, ...(isByFactor && { secondFactorAt: authenticatedAt }) });
  return { authenticatedAt, freshUntil: freshUntil(authenticatedAt) };
}
