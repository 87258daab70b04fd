import { audited, auditRecord, withFacts, type Actor, type AuditAction } from '@storefront/contracts';
import type { AuditLog } from '../../audit/audit.ts';
import type { Revocation } from '../../domain/revocation.ts';
import { correctCountry, resubmit, review, type Resubmission, type ReviewAction } from '../domain/trade-account.ts';
import type { User } from '../../domain/user.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import type { Users } from '../../store/users.ts';

export interface TradeAccountNeeds {
  readonly users: Users;
  readonly sessions: Pick<SessionsArea, 'removeBelow'>;
  readonly auditLog: Pick<AuditLog, 'notingRefusal'>;
  readonly now: () => Date;
}

interface Review {
  readonly userId: string;
  readonly action: ReviewAction;
  readonly actor: Actor & { readonly userId: string };
  readonly reason: string | null;
  /** The country of the business, which an approval may set; else null. */
  readonly country: string | null;
}

const auditActionOf = {
  approve: 'trade-account-approved',
  reject: 'trade-account-rejected',
  'request-info': 'trade-account-info-requested',
  suspend: 'trade-account-suspended',
  reinstate: 'trade-account-reinstated',
} as const satisfies Record<ReviewAction, AuditAction>;

/**
 * Performs an action of staff on a trade account. `assertVersion` throws where the client has read another
 * version.
 */
export async function reviewTradeAccount(
  { users, sessions, auditLog, now }: TradeAccountNeeds,
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

/**
 * Corrects the country of a trade account for staff. `assertVersion` throws where the client has read
 * another version.
 */
export async function changeTradeAccount(
  { users, now }: Pick<TradeAccountNeeds, 'users' | 'now'>,
  { userId, country, actor }: { readonly userId: string; readonly country: string; readonly actor: Actor },
  assertVersion: (version: number) => void,
): Promise<{ user: User; version: number }> {
  const fact = audited('identity', actor, 'trade-account-changed', {
    object: { type: 'user', id: userId },
    details: { country },
  });
  const { result: user, version } = await users.change(userId, (current, currentVersion) => {
    assertVersion(currentVersion);
    return withFacts(correctCountry(current, country, now()), fact);
  });
  return { user, version };
}

/**
 * Submits an application again after staff have requested more details. `assertVersion` throws where the
 * client has read another version.
 */
export async function resubmitApplication(
  { users, now }: Pick<TradeAccountNeeds, 'users' | 'now'>,
  userId: string,
  resubmission: Resubmission,
  actor: Actor,
  assertVersion: (version: number) => void,
): Promise<{ user: User; version: number }> {
  const fact = audited('identity', actor, 'trade-account-resubmitted', { object: { type: 'user', id: userId } });
  const { result: user, version } = await users.change(userId, (current, currentVersion) => {
    assertVersion(currentVersion);
    return withFacts(resubmit(current, resubmission, now()), fact);
  });
  return { user, version };
}
