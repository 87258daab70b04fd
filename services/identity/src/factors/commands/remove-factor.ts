import { notFound } from '@storefront/contracts';
import type { Decision } from '@storefront/contracts';
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
export async function removeAuthenticatorApp(needs: Needs, caller: CallerSession): Promise<void> {
  await remove(needs, caller, removeTotp);
}

/** Deletes a passkey. Throws `not_found` where the user has none with that id. */
export async function deletePasskey(needs: Needs, caller: CallerSession, id: string): Promise<void> {
  // What is not there is not there, also without a fresh proof.
  if (!(await needs.factors.load(caller.sub))?.state.passkeys.some((passkey) => passkey.id === id))
    throw notFound('passkey');
  await remove(needs, caller, (current, user, isRequired) => removePasskey(current, user, id, isRequired));
}

async function remove(
  needs: Needs,
  caller: CallerSession,
  decide: (current: Factors | null, user: User, isRequired: boolean) => Decision<Factors, null>,
): Promise<void> {
  await requireFreshProof(needs, caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  const isRequired = needsSecondFactor(user, needs.adminMfa);
  await needs.factors.change(user.id, (current) => decide(current, user, isRequired));
}
