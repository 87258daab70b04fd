import { audited, notFound, withFacts } from '@storefront/contracts';
import type { Actor, Decision, Fact } from '@storefront/contracts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';
import type { Factors } from '../domain/factors.ts';
import { needsSecondFactor } from '../domain/fresh-proof.ts';
import type { AdminMfa } from '../domain/fresh-proof.ts';
import { removePasskey } from '../domain/passkeys.ts';
import { removeTotp } from '../domain/totp.ts';
import { requireFreshProof } from './require-fresh-proof.ts';
import type { CallerSession, FreshProofNeeds } from './require-fresh-proof.ts';

interface Needs extends FreshProofNeeds {
  readonly users: Users;
  readonly adminMfa: AdminMfa;
}

/** Removes the authenticator app. */
export async function removeAuthenticatorApp(needs: Needs, caller: CallerSession, actor: Actor): Promise<void> {
  const entry = { object: { type: 'user', id: caller.sub }, details: { factor: 'totp' } };
  await remove(needs, caller, removeTotp, audited('identity', actor, 'factor-removed', entry));
}

/** Deletes a passkey. Throws `not_found` where the user has none with that id. */
export async function deletePasskey(needs: Needs, caller: CallerSession, id: string, actor: Actor): Promise<void> {
  // What is not there is not there, also without a fresh proof.
  if (!(await needs.factors.load(caller.sub))?.state.passkeys.some((passkey) => passkey.id === id))
    throw notFound('passkey');
  const entry = { object: { type: 'user', id: caller.sub }, details: { factor: 'passkey', passkey: id } };
  await remove(
    needs,
    caller,
    (current, user, isRequired) => removePasskey(current, user, id, isRequired),
    audited('identity', actor, 'factor-removed', entry),
  );
}

async function remove(
  needs: Needs,
  caller: CallerSession,
  decide: (current: Factors | null, user: User, isRequired: boolean) => Decision<Factors, null>,
  entry: Fact,
): Promise<void> {
  await requireFreshProof(needs, caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  const isRequired = needsSecondFactor(user, needs.adminMfa);
  await needs.factors.change(user.id, (current) => withFacts(decide(current, user, isRequired), entry));
}
