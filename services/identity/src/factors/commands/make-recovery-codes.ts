import { audited, notFound, withFacts } from '@storefront/contracts';
import type { Actor } from '@storefront/contracts';
import type { Users } from '../../store/users.ts';
import { replaceRecoveryCodes } from '../domain/recovery-codes.ts';
import type { RecoveryCodes } from '../secrets/recovery-codes.ts';
import { requireFreshProof } from './require-fresh-proof.ts';
import type { CallerSession, FreshProofNeeds } from './require-fresh-proof.ts';

interface Needs extends FreshProofNeeds {
  readonly users: Users;
  readonly recoveryCodes: RecoveryCodes;
}

/** Ten new recovery codes, as they are shown; the others are dead. */
export async function makeRecoveryCodes(needs: Needs, caller: CallerSession, actor: Actor): Promise<string[]> {
  await requireFreshProof(needs, caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  const { shown, hashes } = needs.recoveryCodes.create(user.id);
  await needs.factors.change(user.id, (current) =>
    withFacts(
      replaceRecoveryCodes(current, user, hashes),
      audited('identity', actor, 'recovery-codes-renewed', { object: { type: 'user', id: user.id } }),
    ),
  );
  return shown;
}
