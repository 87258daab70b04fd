import { actingAs, auditRecord, identityErrors, type Actor } from '@storefront/contracts';
import type { AuditLog } from '../../audit/commands/audit-log.ts';
import { openSession, type OpenedSession, type SessionNeeds } from '../../sessions/commands/open-session.ts';
import { assertMayLogIn } from '../../domain/admission.ts';
import type { Device } from '../../sessions/domain/session.ts';
import type { User } from '../../domain/user.ts';
import { factorRules } from '../domain/factors.ts';
import { findWaitingLogin, type WaitingLoginNeeds } from './find-waiting-login.ts';
import { proveFactor, type FactorProof, type ProofNeeds } from './prove-factor.ts';

/** Completes a login by a second factor. Of several requests with one token, one gets tokens. */
export async function verifySecondFactor(
  needs: WaitingLoginNeeds & ProofNeeds & SessionNeeds & { readonly auditLog: AuditLog },
  { mfaToken, ...proof }: FactorProof & { readonly mfaToken: string },
  device: Device,
  actor: Actor,
): Promise<OpenedSession & { user: User }> {
  const { hash, user } = await findWaitingLogin(needs, mfaToken, device);
  assertMayLogIn(user);
  if (!(await needs.mfaTokens.countTry(hash, factorRules.triesPerToken, needs.now())))
    throw identityErrors.invalidMfaToken();
  const login = { object: { type: 'user', id: user.id }, details: { how: 'second factor' } };
  const terms = { challenge: { purpose: 'mfa', boundTo: hash }, mustVerifyUser: false } as const;
  await needs.auditLog.notingRefusal(
    () => proveFactor(needs, user, proof, terms),
    (refused) => auditRecord(actor, 'login', { ...login, refused }),
  );
  if (!(await needs.mfaTokens.use(hash))) throw identityErrors.invalidMfaToken();
  const now = needs.now();
  const opened = await openSession(needs, user, device, { authenticatedAt: now, secondFactorAt: now });
  await needs.auditLog.record(auditRecord(actingAs(actor, user), 'login', login));
  return { ...opened, user };
}
