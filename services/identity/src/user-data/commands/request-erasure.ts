import { audited, auditRecord, withFacts, type Actor, type Fact } from '@storefront/contracts';
import { newErasure } from '../domain/data-request.ts';
import { startErasure, type ErasureStarted } from '../domain/erasure.ts';
import type { Erasures } from '../store/data-requests.ts';
import type { CallerSession, Device } from '../../domain/caller.ts';
import { wrongCurrentPassword } from '../../domain/password-policy.ts';
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
  await needs.sessions.checkPassword({ email: user.email, user }, password, device, refusal);
  const registrations = await needs.registrations.idsOf(user.email);
  const now = needs.now();
  const started = await needs.erasures.start(newErasure(userId, now), (current) =>
    withFacts(startErasure(current, { checkedHash: user.passwordHash, registrations }, now), fact),
  );
  await needs.sessions.removeBelow(userId, started.revocation.tokenVersion);
  return started;
}
