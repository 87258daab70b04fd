import {
  audited,
  notFound,
  withFacts,
  type Actor,
  type AuditDetails,
  type Decision,
  type Fact,
} from '@storefront/contracts';
import type { ControlChangeKind } from '../domain/control-change.ts';
import type { RevertLink } from '../../domain/revert-link.ts';
import type { User } from '../../domain/user.ts';
import type { Factors } from '../domain/factors.ts';
import { removePasskey } from '../domain/passkeys.ts';
import { removeTotp } from '../domain/totp.ts';
import { requireFreshProof } from './require-fresh-proof.ts';
import { needsSecondFactor } from '../../domain/session-role.ts';
import type { CallerSession } from '../../domain/caller.ts';
import type { FactorNeeds } from './factor-needs.ts';

/** Removes the authenticator app. */
export async function removeAuthenticatorApp(needs: FactorNeeds, caller: CallerSession, actor: Actor): Promise<void> {
  await requireFreshProof(needs, caller);
  // Without an app there is nothing to remove, so nothing is recorded.
  if (!(await needs.factors.load(caller.sub))?.state.totp) return;
  const entry = { object: { type: 'user', id: caller.sub }, details: { factor: 'totp' } };
  await remove(needs, caller, 'totp-removed', removeTotp, audited('identity', actor, 'factor-removed', entry));
}

/** Deletes a passkey. Throws `not_found` where the user has none with that id. */
export async function deletePasskey(
  needs: FactorNeeds,
  caller: CallerSession,
  id: string,
  actor: Actor,
): Promise<void> {
  // Checked before a fresh proof is required, as for every object that does not exist.
  if (!(await needs.factors.load(caller.sub))?.state.passkeys.some((passkey) => passkey.id === id))
    throw notFound('passkey');
  const entry = { object: { type: 'user', id: caller.sub }, details: { factor: 'passkey', passkey: id } };
  await requireFreshProof(needs, caller);
  await remove(
    needs,
    caller,
    'passkey-removed',
    (current, user, isRequired, revertLink) => removePasskey(current, user, id, isRequired, revertLink),
    audited('identity', actor, 'factor-removed', entry),
  );
}

async function remove(
  needs: FactorNeeds,
  caller: CallerSession,
  kind: ControlChangeKind,
  decide: (
    current: Factors | null,
    user: User,
    isRequired: boolean,
    revertLink: RevertLink | null,
  ) => Decision<Factors, null>,
  entry: Fact,
): Promise<void> {
  await needs.controlChanges.make(
    caller,
    await needs.controlChanges.newRecord(kind),
    ({ user, factors }, revertLink) => ({
      factors: withFacts(decide(factors, user, needsSecondFactor(user, needs.adminMfa), revertLink), entry),
    }),
  );
}

/** Names a factor of a user: the authenticator app, or a passkey by its id. */
export type FactorName = 'totp' | { readonly passkey: string };

/**
 * Removes a factor that `user`, a member of the staff, has lost, even the last one. No link can undo this removal. Throws
 * `not_found` where there is no such factor, and `last_factor_required` where `actor` removes their own last factor and
 * has to keep one.
 */
export async function removeLostFactor(
  { factors, adminMfa }: Pick<FactorNeeds, 'factors' | 'adminMfa'>,
  user: User,
  factor: FactorName,
  actor: Actor,
): Promise<void> {
  const isRequired = actor.userId === user.id && needsSecondFactor(user, adminMfa);
  const details: AuditDetails = factor === 'totp' ? { factor } : { factor: 'passkey', passkey: factor.passkey };
  const entry = audited('identity', actor, 'factor-removed', { object: { type: 'user', id: user.id }, details });
  await factors.change(user.id, (current) => {
    if (factor !== 'totp') return withFacts(removePasskey(current, user, factor.passkey, isRequired, null), entry);
    if (!current?.totp) throw notFound('authenticator app');
    return withFacts(removeTotp(current, user, isRequired, null), entry);
  });
}
