import { audited, notFound, withFacts, type Actor } from '@storefront/contracts';
import { replaceRecoveryCodes } from '../domain/recovery-codes.ts';
import { requireFreshProof } from './require-fresh-proof.ts';
import type { CallerSession } from '../../domain/caller.ts';
import type { FactorNeeds } from './factor-needs.ts';

/** Makes ten new recovery codes, which replace the old ones. Returns the codes in the form that the user sees. */
export async function makeRecoveryCodes(needs: FactorNeeds, caller: CallerSession, actor: Actor): Promise<string[]> {
  await requireFreshProof(needs, caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  const { shown, hashes } = needs.recoveryCodes.create(user.id);
  const renewed = audited('identity', actor, 'recovery-codes-renewed', { object: { type: 'user', id: user.id } });
  const change = await needs.controlChanges.newRecord('recovery-codes-made');
  await needs.controlChanges.make(caller, change, (account, revertLink) => ({
    factors: withFacts(replaceRecoveryCodes(account.factors, account.user, hashes, revertLink), renewed),
  }));
  return shown;
}
