import { audited, auditRecord, notFound, withFacts, type Actor, type Fact } from '@storefront/contracts';
import { newErasure, type RequestedBy } from '../domain/data-request.ts';
import { startErasure, type ErasureStarted } from '../domain/erasure.ts';
import type { Erasures } from '../store/data-requests.ts';
import type { CallerSession, Device } from '../../domain/caller.ts';
import { wrongCurrentPassword } from '../../domain/password-policy.ts';
import type { User } from '../../domain/user.ts';
import type { FactorsArea } from '../../factors/factors.ts';
import type { AccountsArea } from '../../accounts/accounts.ts';
import type { AuditLog } from '../../audit/audit.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import type { Users } from '../../store/users.ts';

interface Needs {
  readonly factors: Pick<FactorsArea, 'requireFreshProof'>;
  readonly sessions: Pick<SessionsArea, 'checkPassword' | 'removeBelow'>;
  readonly users: Users;
  readonly now: () => Date;
  readonly erasures: Erasures;
  readonly registrations: Pick<AccountsArea['registrations'], 'idsOf'>;
  readonly auditLog: Pick<AuditLog, 'notingRefusal'>;
}

/**
 * Starts the erasure of the user. Needs the password and a fresh proof. From then on the user can't log in, all tokens
 * are revoked, and every service that keeps data about people is requested to erase this user's data. When all services
 * have answered, `finishErasure` continues.
 */
export async function requestErasure(
  needs: Needs,
  caller: CallerSession,
  password: string,
  device: Device,
  actor: Actor,
): Promise<ErasureStarted> {
  const object = { type: 'user', id: caller.sub };
  const fact = audited('identity', actor, 'erasure-requested', { object });
  return needs.auditLog.notingRefusal(
    () => startAfterCheck(needs, caller, password, device, fact),
    (refused) => auditRecord(actor, 'erasure-requested', { object, refused }),
  );
}

async function startAfterCheck(
  needs: Needs,
  caller: CallerSession,
  password: string,
  device: Device,
  fact: Fact,
): Promise<ErasureStarted> {
  const userId = caller.sub;
  const user = (await needs.users.load(userId))?.state;
  const refusal = () => wrongCurrentPassword('/password');
  if (!user) throw refusal();
  // After the erasure has started, the session is gone, so no proof is required. Another request then changes nothing.
  if (user.status !== 'erasing') await needs.factors.requireFreshProof(caller);
  const checked = await needs.sessions.checkPassword({ email: user.email, userId }, password, device, refusal);
  return start(needs, user, { by: 'user', checkedHash: checked.hash }, fact);
}

/**
 * Starts the erasure of a user for an administrator, who needs a fresh proof. Otherwise as `requestErasure`. Throws
 * `not_found` where there is no such user.
 */
export async function requestErasureByStaff(
  needs: Needs,
  caller: CallerSession,
  userId: string,
  actor: Actor,
): Promise<ErasureStarted> {
  const user = (await needs.users.load(userId))?.state;
  if (!user) throw notFound('user');
  await needs.factors.requireFreshProof(caller);
  const object = { type: 'user', id: userId };
  return needs.auditLog.notingRefusal(
    () =>
      start(
        needs,
        user,
        { by: 'staff', checkedHash: null },
        audited('identity', actor, 'erasure-requested', { object }),
      ),
    (refused) => auditRecord(actor, 'erasure-requested', { object, refused }),
  );
}

async function start(
  { erasures, registrations, sessions, now }: Needs,
  { id, email }: User,
  allowed: { readonly by: RequestedBy; readonly checkedHash: string | null },
  fact: Fact,
): Promise<ErasureStarted> {
  const [named, time] = [await registrations.idsOf(email), now()];
  const started = await erasures.start(newErasure(id, time, allowed.by), (current) =>
    withFacts(startErasure(current, { ...allowed, registrations: named }, time), fact),
  );
  await sessions.removeBelow(id, started.revocation.tokenVersion);
  return started;
}
