import { audited, type Actor } from '@storefront/contracts';
import { countCode } from './new-code.ts';
import { codeTimes } from '../../domain/code.ts';
import { nobodyId } from '../../domain/user.ts';
import { newRecovery, takesDigits } from '../domain/recovery.ts';
import type { AccountNeeds } from './account-needs.ts';

/**
 * Begins a recovery: mails six digits and a link if the email has an account. If the email has no account, the result
 * and the work are the same. Throws `too_many_codes` where the IP address of `actor` has requested too many codes for
 * the email. Repeated with the same `seed`, it mails nothing more.
 */
export async function forgotPassword(
  needs: AccountNeeds,
  email: string,
  actor: Actor,
  seed?: string,
): Promise<{ recoveryId: string; expiresAt: Date }> {
  await needs.senderBudgets.spend('reset', actor.ip, email);
  const owner = (await needs.users.load((await needs.emails.ownerOf(email)) ?? nobodyId))?.state ?? null;
  const link = await needs.codes.createLink(await countCode(needs, email, takesDigits(owner)));
  const now = needs.now();
  const { id, digest } = needs.flowIds.create('rec', seed);
  const { recovery, facts } = newRecovery(digest, owner, link, now);
  const object = { type: 'recovery', id: digest };
  const requested = audited('identity', actor, 'recovery-requested', { object, about: recovery.userId });
  await needs.recoveries.insertNew([{ state: recovery, facts: [...facts, requested] }]);
  return { recoveryId: id, expiresAt: codeTimes(now).expiresAt };
}
