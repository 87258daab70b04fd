import { audited, auditRecord, withFacts, type Actor, type AuditAction, type Decision } from '@storefront/contracts';
import type { AuditLog } from '../../audit/audit.ts';
import {
  disableOrEnable,
  endStaffSessions,
  giveRole,
  type ChangedMember,
  type GivenRole,
} from '../domain/staff-member.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { User } from '../../domain/user.ts';
import type { Staff } from '../store/staff.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import type { Users } from '../../store/users.ts';

export interface StaffNeeds {
  readonly users: Users;
  readonly staff: Pick<Staff, 'change'>;
  readonly sessions: Pick<SessionsArea, 'removeBelow'>;
  readonly auditLog: Pick<AuditLog, 'notingRefusal'>;
  readonly now: () => Date;
}

interface Review {
  readonly userId: string;
  readonly actor: Actor;
  readonly reason: string | null;
}

type Reviewed = ChangedMember & { readonly version: number };

/**
 * Disables a member of the staff, which revokes all tokens of this user, or enables a disabled one. `assertVersion`
 * throws where the client has read another version.
 */
export function reviewStaff(
  needs: StaffNeeds,
  { action, ...review }: Review & { readonly action: 'disable' | 'enable' },
  assertVersion: (version: number) => void,
): Promise<Reviewed> {
  const { reason } = review;
  const entry = { action: action === 'disable' ? 'staff-disabled' : 'staff-enabled', details: { reason } } as const;
  return change(needs, review, entry, assertVersion, (current) =>
    disableOrEnable(current, action, { reason, now: needs.now() }),
  );
}

/**
 * Makes the user a member of the staff with this role, or a consumer again, and revokes all tokens of this user.
 * `assertVersion` throws where the client has read another version.
 */
export function changeRole(
  needs: StaffNeeds,
  { role, ...review }: Review & { readonly role: GivenRole },
  assertVersion: (version: number) => void,
): Promise<Reviewed> {
  const { reason } = review;
  return change(needs, review, { action: 'role-changed', details: { role, reason } }, assertVersion, (current) =>
    giveRole(current, role, { reason, now: needs.now() }),
  );
}

async function change(
  { staff, sessions, auditLog }: StaffNeeds,
  { userId, actor }: Review,
  { action, details }: { readonly action: AuditAction; readonly details: Readonly<Record<string, string | null>> },
  assertVersion: (version: number) => void,
  decide: (current: User | null) => Decision<User, ChangedMember>,
): Promise<Reviewed> {
  const entry = { object: { type: 'user', id: userId }, details };
  const fact = audited('identity', actor, action, entry);
  const { result, version } = await auditLog.notingRefusal(
    () =>
      staff.change(userId, (current, currentVersion) => {
        assertVersion(currentVersion);
        return withFacts(decide(current), fact);
      }),
    (refused) => auditRecord(actor, action, { ...entry, refused }),
  );
  if (result.revocation) await sessions.removeBelow(userId, result.revocation.tokenVersion);
  return { ...result, version };
}

/** Logs a member of the staff out on every device. */
export async function logStaffOut(
  { users, sessions, now }: Pick<StaffNeeds, 'users' | 'sessions' | 'now'>,
  userId: string,
  actor: Actor,
): Promise<Revocation> {
  const entry = { object: { type: 'user', id: userId } };
  const fact = audited('identity', actor, 'staff-sessions-ended', entry);
  const { result } = await users.change(userId, (current) => withFacts(endStaffSessions(current, now()), fact));
  await sessions.removeBelow(userId, result.tokenVersion);
  return result;
}
