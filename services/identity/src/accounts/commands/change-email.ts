import {
  audited,
  identityErrors,
  identityFields,
  invalidFields,
  notFound,
  withFacts,
  type Actor,
  type http,
} from '@storefront/contracts';
import type { CallerSession, Device } from '../../domain/caller.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { User } from '../../domain/user.ts';
import type { OpenedSession } from '../../sessions/sessions.ts';
import { requestEmailChange, setEmail, timesOf } from '../domain/email-change.ts';
import type { AccountNeeds } from './account-needs.ts';
import { newCode } from './new-code.ts';

export interface BegunEmailChange {
  readonly changeId: string;
  readonly expiresAt: Date;
  readonly resendAfter: Date;
}

/**
 * Has a code mailed to the new email. If another account has that email, the result and the work are the same, but a
 * mail informs that account's owner instead. `actor` is the sender of the request. Repeated with the same `changeId`,
 * it mails nothing more.
 */
export async function beginEmailChange(
  needs: AccountNeeds,
  caller: CallerSession,
  { changeId, entered }: { changeId: string; entered: http.EnteredEmail },
  actor: Actor,
): Promise<BegunEmailChange> {
  const { email } = entered;
  await needs.factors.requireFreshProof(caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  if (user.email === email) throw invalidFields([identityFields.emailUnchanged()]);
  const now = needs.now();
  await needs.factors.controlChanges.assertRoom(user.id, now);
  await needs.senderBudgets.spend('change-email', actor.ip, email);
  const ownerId = await needs.emails.ownerOf(email);
  const code = await newCode(needs, email, ownerId === null);
  const request = { changeId, entered, code, ownerId };
  const { result } = await needs.emailChanges.change(user.id, (current) =>
    withFacts(
      requestEmailChange(current, user, request, now),
      audited('identity', actor, 'email-change-requested', { object: { type: 'user', id: user.id } }),
    ),
  );
  return { changeId, ...timesOf(result) };
}

/**
 * Gives the user the new email, which is proved by the code mailed to it. Only this device stays logged in, with new
 * tokens. Each try is counted before the code is compared, so that simultaneous tries are limited like consecutive
 * ones. Throws `invalid_code`, whatever is wrong.
 */
export async function confirmEmailChange(
  needs: AccountNeeds,
  caller: CallerSession,
  { changeId, code }: { changeId: string; code: string },
  device: Device,
  actor: Actor,
): Promise<OpenedSession & { user: User; revocation: Revocation }> {
  const now = needs.now();
  const { sub } = caller;
  const [user, session] = [(await needs.users.load(sub))?.state, await needs.sessions.find(caller, now)];
  const change = await needs.emailChanges.tryCode(sub, now);
  if (!user || !session || !change?.code || change.changeId !== changeId) throw identityErrors.invalidCode();
  if (!needs.codes.matches(change.code, changeId, 'change-email', code)) throw identityErrors.invalidCode();
  const recorded = await needs.factors.controlChanges.newRecord('email-changed');
  const proved = { entered: change, from: user.email };
  const set = await needs.emailChanges.complete({ ...change, code: change.code }, recorded, (current, revertLink) =>
    withFacts(
      setEmail(current, proved, revertLink, recorded.now),
      audited('identity', actor, 'email-changed', { object: { type: 'user', id: sub } }),
    ),
  );
  await needs.codeCounts.forget(change.email);
  await needs.sessions.removeBelow(sub, set.revocation.tokenVersion);
  const { authenticatedAt, secondFactorAt } = session;
  return { ...(await needs.sessions.open(set.user, device, { authenticatedAt, secondFactorAt })), ...set };
}
