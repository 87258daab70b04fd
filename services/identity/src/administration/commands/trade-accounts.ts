import { audited, auditRecord, withFacts, type Actor, type AuditAction } from '@storefront/contracts';
import type { AuditLog } from '../../audit/commands/audit-log.ts';
import type { Revocation } from '../../domain/revocation.ts';
import { review, type ReviewAction } from '../domain/trade-account.ts';
import type { User } from '../../domain/user.ts';
import type { Sessions } from '../../sessions/store/sessions.ts';
import type { Users } from '../../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly auditLog: Pick<AuditLog, 'notingRefusal'>;
  readonly now: () => Date;
}

interface Review {
  readonly userId: string;
  readonly action: ReviewAction;
  readonly actor: Actor & { readonly userId: string };
  readonly reason: string | null;
  /** The country of the business, where an approval names it. */
  readonly country: string | null;
}

const auditActionOf = {
  approve: 'trade-account-approved',
  reject: 'trade-account-rejected',
  'request-info': 'trade-account-info-requested',
  suspend: 'trade-account-suspended',
  reinstate: 'trade-account-reinstated',
} as const satisfies Record<ReviewAction, AuditAction>;

/** An administrator's action on a trade account. `assertVersion` throws where the client has read another version. */
export async function reviewTradeAccount(
  { users, sessions, auditLog, now }: Needs,
  { userId, action, actor, reason, country }: Review,
  assertVersion: (version: number) => void,
): Promise<{ user: User; version: number; revocation: Revocation | null }> {
  const verdict = { object: { type: 'user', id: userId }, details: { reason, ...(country !== null && { country }) } };
  const fact = audited('identity', actor, auditActionOf[action], verdict);
  const { result, version } = await auditLog.notingRefusal(
    () =>
      users.change(userId, (current, currentVersion) => {
        assertVersion(currentVersion);
        return withFacts(review(current, action, { by: actor.userId, reason, country, now: now() }), fact);
      }),
    (refused) => auditRecord(actor, auditActionOf[action], { ...verdict, refused }),
  );
  if (result.revocation) await sessions.removeBelow(userId, result.revocation.tokenVersion);
  return { ...result, version };
}
