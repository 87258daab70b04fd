import { audited, identityErrors, notFound, withFacts } from '@storefront/contracts';
import type { Actor } from '@storefront/contracts';
import type { Sessions } from '../../store/sessions.ts';
import type { Users } from '../../store/users.ts';
import { beginTotp, confirmTotp, pendingSecret } from '../domain/totp.ts';
import type { RecoveryCodes } from '../secrets/recovery-codes.ts';
import type { TotpSecrets } from '../secrets/totp.ts';
import { requireFreshProof } from './require-fresh-proof.ts';
import type { CallerSession, FreshProofNeeds } from './require-fresh-proof.ts';

interface Needs extends FreshProofNeeds {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly totpSecrets: TotpSecrets;
  readonly recoveryCodes: RecoveryCodes;
}

/** Makes a secret for an authenticator app. It counts for nothing until `finishTotpSetup`. */
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

/** Sets the app up that gave the right code. The recovery codes are null unless it is the user's first factor. */
export async function finishTotpSetup(
  { users, sessions, factors, totpSecrets, recoveryCodes, now }: Needs,
  { sub, sid }: CallerSession,
  code: string,
  actor: Actor,
): Promise<{ confirmedAt: Date; recoveryCodes: string[] | null }> {
  const user = (await users.load(sub))?.state;
  if (!user) throw notFound('user');
  const confirmedAt = now();
  const sealed = pendingSecret((await factors.load(sub))?.state ?? null, sid, confirmedAt);
  const step = await totpSecrets.stepOf(sub, sealed, code, confirmedAt);
  if (step === null) throw identityErrors.invalidFactor();
  const made = recoveryCodes.create(sub);
  const confirmation = { sealed, step, newHashes: made.hashes };
  const { result: isFirst } = await factors.change(sub, (current) =>
    withFacts(
      confirmTotp(current, user, confirmation, confirmedAt),
      audited('identity', actor, 'factor-added', { object: { type: 'user', id: sub }, details: { factor: 'totp' } }),
    ),
  );
  await sessions.prove(sid, sub, { authenticatedAt: confirmedAt, secondFactorAt: confirmedAt });
  return { confirmedAt, recoveryCodes: isFirst ? made.shown : null };
}
