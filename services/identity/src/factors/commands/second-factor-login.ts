import { actingAs, auditRecord, identityErrors, type Actor } from '@storefront/contracts';
import { assertMayLogIn } from '../../domain/admission.ts';
import type { Device } from '../../domain/caller.ts';
import type { User } from '../../domain/user.ts';
import type { OpenedSession } from '../../sessions/sessions.ts';
import { factorRules, hasSecondFactor, methodsOf } from '../domain/factors.ts';
import { assertUsable, newMfaToken } from '../domain/mfa-token.ts';
import { proveFactor, type FactorProof } from './prove-factor.ts';
import type { FactorNeeds } from './factor-needs.ts';

/**
 * Logs in a device that has proved one factor: the password, or a code from a mail. All logins by one factor call this
 * function. If the user has a second factor, throws `mfa_required` with the data that completes the login.
 */
export async function openSessionByOneFactor(needs: FactorNeeds, user: User, device: Device): Promise<OpenedSession> {
  const factors = (await needs.factors.load(user.id))?.state ?? null;
  const now = needs.now();
  if (!hasSecondFactor(factors))
    return needs.sessions.open(user, device, { authenticatedAt: now, secondFactorAt: null });
  const { token, hash } = needs.newMfaTokens.create();
  const waiting = newMfaToken(hash, user, device, now);
  await needs.mfaTokens.add(waiting);
  throw identityErrors.mfaRequired().with({
    members: { mfaToken: token, expiresAt: waiting.expiresAt.toISOString(), methods: methodsOf(factors) },
  });
}

/** Finds the login of this device that waits for a second factor. Throws `invalid_mfa_token`. */
export async function findWaitingLogin(
  { users, mfaTokens, newMfaTokens, now }: FactorNeeds,
  mfaToken: string,
  device: Device,
): Promise<{ hash: string; user: User }> {
  const hash = newMfaTokens.hashOf(mfaToken);
  const token = await mfaTokens.find(hash, now());
  const user = token && (await users.load(token.userId))?.state;
  return { hash, ...assertUsable(token, user ?? null, device) };
}

/** Completes a login by a second factor. Of several requests with the same token, only one gets tokens. */
export async function verifySecondFactor(
  needs: FactorNeeds,
  { mfaToken, ...proof }: FactorProof & { readonly mfaToken: string },
  device: Device,
  actor: Actor,
): Promise<OpenedSession & { user: User }> {
  // Counted before the user is read: a primary that was just elected may show a former state until it has acknowledged
  // a write.
  if (!(await needs.mfaTokens.countTry(needs.newMfaTokens.hashOf(mfaToken), factorRules.triesPerToken, needs.now())))
    throw identityErrors.invalidMfaToken();
  const { hash, user } = await findWaitingLogin(needs, mfaToken, device);
  assertMayLogIn(user);
  const login = { object: { type: 'user', id: user.id }, details: { how: 'second factor' } };
  const terms = { challenge: { purpose: 'mfa', boundTo: hash }, mustVerifyUser: false } as const;
  await needs.auditLog.notingRefusal(
    () => proveFactor(needs, user, proof, terms),
    (refused) => auditRecord(actor, 'login', { ...login, refused }),
  );
  if (!(await needs.mfaTokens.use(hash))) throw identityErrors.invalidMfaToken();
  const now = needs.now();
  const opened = await needs.sessions.open(user, device, { authenticatedAt: now, secondFactorAt: now });
  await needs.auditLog.record(auditRecord(actingAs(actor, user), 'login', login));
  return { ...opened, user };
}
