import { auditRecord, identityErrors, identityFields, invalidFields, type Actor } from '@storefront/contracts';
import { hasSecondFactor } from '../domain/factors.ts';
import { freshUntil } from '../domain/fresh-proof.ts';
import { proveFactor, type FactorProof } from './prove-factor.ts';
import { wrongCurrentPassword } from '../../domain/password-policy.ts';
import type { CallerSession, Device } from '../../domain/caller.ts';
import type { FactorNeeds } from './factor-needs.ts';

/**
 * Proves again who is calling, for this session: by a second factor where the user has one, else by the password. With
 * a second factor the password is not enough, since a thief of session and password must not be able to change the
 * factors.
 */
export async function reauthenticate(
  needs: FactorNeeds,
  { sub, sid }: CallerSession,
  { password, ...proof }: FactorProof & { readonly password?: string | undefined },
  device: Device,
  actor: Actor,
): Promise<{ authenticatedAt: Date; freshUntil: Date }> {
  const [user, factors] = await Promise.all([needs.users.load(sub), needs.factors.load(sub)]);
  if (!user) throw identityErrors.invalidFactor();
  const isByFactor = hasSecondFactor(factors?.state ?? null);
  if (isByFactor && password !== undefined) throw invalidFields([identityFields.secondFactorNeeded()]);
  const entry = { object: { type: 'user', id: sub } };
  await needs.auditLog.notingRefusal(
    async () => {
      const challenge = { purpose: 'reauthenticate', boundTo: sid } as const;
      if (password === undefined) return proveFactor(needs, user.state, proof, { challenge, mustVerifyUser: true });
      const checked = { email: user.state.email, userId: sub };
      await needs.sessions.checkPassword(checked, password, device, () => wrongCurrentPassword('/password'));
    },
    (refused) => auditRecord(actor, 'reauthenticated', { ...entry, refused }),
  );
  const authenticatedAt = needs.now();
  await needs.sessions.prove({ sub, sid }, { authenticatedAt, ...(isByFactor && { secondFactorAt: authenticatedAt }) });
  await needs.auditLog.record(auditRecord(actor, 'reauthenticated', entry));
  return { authenticatedAt, freshUntil: freshUntil(authenticatedAt) };
}
