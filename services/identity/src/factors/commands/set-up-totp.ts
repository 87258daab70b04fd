import { audited, identityErrors, notFound, withFacts, type Actor } from '@storefront/contracts';
import { beginTotp, confirmTotp, pendingSecret } from '../domain/totp.ts';
import { requireFreshProof } from './require-fresh-proof.ts';
import type { CallerSession } from '../../domain/caller.ts';
import type { FactorNeeds } from './factor-needs.ts';

/** Makes a secret for an authenticator app. The secret has no effect until `finishTotpSetup`. */
export async function startTotpSetup(
  needs: FactorNeeds,
  caller: CallerSession,
): Promise<{ secret: string; otpauthUrl: string; expiresAt: Date }> {
  await requireFreshProof(needs, caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  const { secret, sealed } = await needs.totpSecrets.create(user.id);
  const setup = { userId: user.id, sessionId: caller.sid, sealed };
  const { result: expiresAt } = await needs.factors.change(user.id, (current) =>
    beginTotp(current, setup, needs.now()),
  );
  return { secret, otpauthUrl: await needs.totpSecrets.urlOf(secret, user.email), expiresAt };
}

/** Enables the app, proved by its first code. The recovery codes are null unless the app is the user's first factor. */
export async function finishTotpSetup(
  needs: FactorNeeds,
  caller: CallerSession,
  code: string,
  actor: Actor,
): Promise<{ confirmedAt: Date; recoveryCodes: string[] | null }> {
  const { users, sessions, factors, totpSecrets, recoveryCodes, now } = needs;
  const { sub, sid } = caller;
  const user = (await users.load(sub))?.state;
  if (!user) throw notFound('user');
  const confirmedAt = now();
  const sealed = pendingSecret((await factors.load(sub))?.state ?? null, sid, confirmedAt);
  const step = await totpSecrets.stepOf(sub, sealed, code, confirmedAt);
  if (step === null) throw identityErrors.invalidFactor();
  const made = recoveryCodes.create(sub);
  const confirmation = { sealed, step, newHashes: made.hashes };
  const entry = { object: { type: 'user', id: sub }, details: { factor: 'totp' } };
  const added = audited('identity', actor, 'factor-added', entry);
  const change = await needs.controlChanges.newRecord('totp-added');
  const isFirst = await needs.controlChanges.make(caller, change, (account, revertLink) => ({
    factors: withFacts(confirmTotp(account.factors, account.user, confirmation, revertLink, confirmedAt), added),
  }));
  await sessions.prove(caller, { authenticatedAt: confirmedAt, secondFactorAt: confirmedAt });
  return { confirmedAt, recoveryCodes: isFirst ? made.shown : null };
}
