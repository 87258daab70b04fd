import { audited, auditRecord, withFacts, type Actor } from '@storefront/contracts';
import type { AuditLog } from '../../audit/audit.ts';
import { disableOrEnable, endAdministratorSessions } from '../domain/administrator.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { User } from '../../domain/user.ts';
import type { Administrators } from '../store/administrators.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import type { Users } from '../../store/users.ts';

export interface AdministratorNeeds {
  readonly users: Users;
  readonly administrators: Pick<Administrators, 'disable'>;
  readonly sessions: Pick<SessionsArea, 'removeBelow'>;
  readonly auditLog: Pick<AuditLog, 'notingRefusal'>;
  readonly now: () => Date;
}

interface Review {
  readonly userId: string;
  readonly action: 'disable' | 'enable';
  readonly actor: Actor;
  readonly reason: string | null;
}

interface Reviewed {
  readonly user: User;
  readonly version: number;
  readonly revocation: Revocation | null;
}

/**
 * Disables an administrator, which revokes all tokens of this user, or enables a disabled administrator.
 * `assertVersion` throws where the client has read another version.
 */
export async function reviewAdministrator(
  { users, administrators, sessions, auditLog, now }: AdministratorNeeds,
  { userId, action, actor, reason }: Review,
  assertVersion: (version: number) => void,
): Promise<Reviewed> {
  const entry = { object: { type: 'user', id: userId }, details: { reason } };
  const auditAction = action === 'disable' ? 'administrator-disabled' : 'administrator-enabled';
  const fact = audited('identity', actor, auditAction, entry);
  const decide = (current: User | null, version: number) => {
    assertVersion(version);
    return withFacts(disableOrEnable(current, action, { reason, now: now() }), fact);
  };
  const { result, version } = await auditLog.notingRefusal(
    () => (action === 'disable' ? administrators.disable(userId, decide) : users.change(userId, decide)),
    (refused) => auditRecord(actor, auditAction, { ...entry, refused }),
  );
  if (result.revocation) await sessions.removeBelow(userId, result.revocation.tokenVersion);
  return { ...result, version };
}

/** Logs an administrator out on every device. */
export async function logAdministratorOut(
  { users, sessions, now }: Pick<AdministratorNeeds, 'users' | 'sessions' | 'now'>,
  userId: string,
  actor: Actor,
): Promise<Revocation> {
  const entry = { object: { type: 'user', id: userId } };
  const fact = audited('identity', actor, 'administrator-sessions-ended', entry);
  const { result } = await users.change(userId, (current) => withFacts(endAdministratorSessions(current, now()), fact));
  await sessions.removeBelow(userId, result.tokenVersion);
  return result;
}
