import { audited, identityErrors, withFacts, type Actor } from '@storefront/contracts';
import type { Codes } from '../../secrets/codes.ts';
import type { CodeCounts } from '../store/code-counts.ts';
import { openSession, type OpenedSession, type SessionNeeds } from '../../sessions/commands/open-session.ts';
import { recordAs } from '../../factors/commands/record-as.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { Device } from '../../sessions/domain/session.ts';
import type { User } from '../../domain/user.ts';
import type { CallerSession } from '../../factors/commands/require-fresh-proof.ts';
import { setEmail } from '../domain/new-email.ts';
import type { EmailChanges } from '../store/email-changes.ts';

interface Needs extends SessionNeeds {
  readonly emailChanges: EmailChanges;
  readonly codes: Codes;
  readonly codeCounts: CodeCounts;
}

/**
 * Gives the user the email whose code this is. Only this device stays logged in, with new tokens. The try is counted first, so
 * that many at once are not compared more often than many in a row. Throws `invalid_code` for all that may be wrong.
 */
export async function confirmEmailChange(
  needs: Needs,
  { sub, sid, ver }: CallerSession,
  { changeId, code }: { changeId: string; code: string },
  device: Device,
  actor: Actor,
): Promise<OpenedSession & { user: User; revocation: Revocation }> {
  const now = needs.now();
  const [user, session] = [(await needs.users.load(sub))?.state, await needs.sessions.find(sid, sub, ver, now)];
  const change = await needs.emailChanges.tryCode(sub, now);
  if (!user || !session || !change?.code || change.changeId !== changeId) throw identityErrors.invalidCode();
  if (!needs.codes.matches(change.code, changeId, 'change-email', code)) throw identityErrors.invalidCode();
  const recorded = await recordAs(needs, 'email-changed');
  const proved = { entered: change, from: user.email };
  const set = await needs.emailChanges.complete({ ...change, code: change.code }, recorded, (current, wayBack) =>
    withFacts(
      setEmail(current, proved, wayBack, recorded.now),
      audited('identity', actor, 'email-changed', { object: { type: 'user', id: sub } }),
    ),
  );
  await needs.codeCounts.forget(change.email);
  await needs.sessions.removeBelow(sub, set.revocation.tokenVersion);
  const { authenticatedAt = session.createdAt, secondFactorAt = null } = session;
  return { ...(await openSession(needs, set.user, device, { authenticatedAt, secondFactorAt })), ...set };
}
