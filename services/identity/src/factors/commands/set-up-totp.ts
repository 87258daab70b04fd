import { audited, identityErrors, notFound, withFacts, type Actor } from '@storefront/contracts';
import type { Users } from '../../store/users.ts';
import { beginTotp, confirmTotp, pendingSecret } from '../domain/totp.ts';
import type { RecoveryCodes } from '../secrets/recovery-codes.ts';
import type { TotpSecrets } from '../secrets/totp.ts';
import type { ControlChanges } from '../store/control-changes.ts';
import { requireFreshProof, type FreshProofNeeds } from './require-fresh-proof.ts';
import type { CallerSession } from '../../domain/caller.ts';

interface Needs extends FreshProofNeeds {
  readonly controlChanges: ControlChanges;
  readonly users: Users;
  readonly totpSecrets: TotpSecrets;
  readonly recoveryCodes: RecoveryCodes;
}

/** Makes a secret for an authenticator app. It has no effect until `finishTotpSetup`. */
export async function startTotpSetup(
  needs: Needs,
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

/** Enables the app, proved by its first code. The recovery codes are null unless it is the user's first factor. */
export async function finishTotpSetup(
  needs: Needs,
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
