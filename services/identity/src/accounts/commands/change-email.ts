import {
  audited,
  identityFields,
  invalidFields,
  notFound,
  withFacts,
  type Actor,
  type http,
} from '@storefront/contracts';
import { newCode } from './new-code.ts';
import type { Codes } from '../../secrets/codes.ts';
import type { CodeCounts } from '../store/code-counts.ts';
import type { SenderBudgets } from '../store/sender-budgets.ts';
import { assertRoomForChange } from '../../factors/domain/control-change.ts';
import type { ControlChanges } from '../../factors/store/control-changes.ts';
import {
  requireFreshProof,
  type CallerSession,
  type FreshProofNeeds,
} from '../../factors/commands/require-fresh-proof.ts';
import type { Decoys } from '../store/decoys.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import { requestEmailChange, timesOf } from '../domain/email-change.ts';
import type { EmailChanges } from '../store/email-changes.ts';

interface Needs extends FreshProofNeeds {
  readonly users: Users;
  readonly emails: Emails;
  readonly emailChanges: EmailChanges;
  readonly controlChanges: ControlChanges;
  readonly codes: Codes;
  readonly codeCounts: CodeCounts;
  readonly senderBudgets: SenderBudgets;
  readonly decoys: Decoys;
}

export interface BegunEmailChange {
  readonly changeId: string;
  readonly expiresAt: Date;
  readonly resendAfter: Date;
}

/**
 * Has a code mailed to the new email. The result and the work are the same where another account has it; its owner is told.
 * `actor` is the sender. Repeated with the same `changeId`, it mails nothing more.
 */
export async function beginEmailChange(
  needs: Needs,
  caller: CallerSession,
  { changeId, entered }: { changeId: string; entered: http.EnteredEmail },
  actor: Actor,
): Promise<BegunEmailChange> {
  const { email } = entered;
  await requireFreshProof(needs, caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  if (user.email === email) throw invalidFields([identityFields.emailUnchanged()]);
  const now = needs.now();
  assertRoomForChange(await needs.controlChanges.openOf(user.id, now), now);
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
