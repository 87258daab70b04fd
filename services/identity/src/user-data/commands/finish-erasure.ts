import { audited, system, withFacts, type UserDataKeeper } from '@storefront/contracts';
import type { PersonKeys } from '../../audit/store/person-keys.ts';
import type { Reversals } from '../../accounts/store/reversals.ts';
import type { EmailChanges } from '../../accounts/store/email-changes.ts';
import { eraseFactors } from '../../factors/domain/factors.ts';
import type { FactorStore } from '../../factors/store/factors.ts';
import type { MfaTokens } from '../../factors/store/mfa-tokens.ts';
import { deleteRequest, erasureIdOf, exportIdOf, recordErased } from '../domain/data-request.ts';
import { eraseUser } from '../domain/erasure.ts';
import { revocationKeptMs } from '../../domain/revocation.ts';
import type { TokenLifetimes } from '../../sessions/domain/session.ts';
import type { User } from '../../domain/user.ts';
import type { Erasures, Exports } from '../store/data-requests.ts';
import type { CodeCounts } from '../../accounts/store/code-counts.ts';
import type { Recoveries } from '../../accounts/store/recoveries.ts';
import type { Registrations } from '../../accounts/store/registrations.ts';
import type { Emails } from '../../store/emails.ts';
import type { KnownClients } from '../../sessions/store/known-clients.ts';
import type { LoginThrottle } from '../../sessions/store/login-throttle.ts';
import type { RevocationStore } from '../../sessions/store/revocations.ts';
import type { ExportPages } from '../store/export-pages.ts';
import type { Sessions } from '../../sessions/store/sessions.ts';
import type { Users } from '../../store/users.ts';

export interface ErasureNeeds {
  readonly users: Users;
  readonly emails: Emails;
  readonly sessions: Sessions;
  readonly loginThrottle: LoginThrottle;
  readonly knownClients: KnownClients;
  readonly codeCounts: CodeCounts;
  readonly recoveries: Recoveries;
  readonly registrations: Registrations;
  readonly factors: FactorStore;
  readonly mfaTokens: MfaTokens;
  readonly emailChanges: EmailChanges;
  readonly reversals: Reversals;
  readonly erasures: Erasures;
  readonly exports: Exports;
  readonly exportPages: Pick<ExportPages, 'erase'>;
  readonly revocations: RevocationStore;
  readonly personKeys: Pick<PersonKeys, 'forget'>;
  readonly lifetimes: TokenLifetimes;
  readonly now: () => Date;
}

/** A service has erased its part; after the last one, identity erases its own. It may be repeated, in any order. */
export async function finishErasure(needs: ErasureNeeds, userId: string, keeper: UserDataKeeper): Promise<void> {
  const { result: erasure } = await needs.erasures.change(erasureIdOf(userId), (current) =>
    recordErased(current, keeper),
  );
  if (erasure?.waitingFor.length === 0) await endErasure(needs, userId);
}

/** All services have erased their part: erases identity's own. It may be repeated. */
export async function endErasure(needs: ErasureNeeds, userId: string): Promise<void> {
  const user = (await needs.users.load(userId))?.state;
  // The user is erased last: after a crash at any point before, the same event continues.
  if (user) await eraseOwn(needs, user);
  await needs.erasures.change(erasureIdOf(userId), deleteRequest);
}

async function eraseOwn(needs: ErasureNeeds, { id, email, tokenVersion }: User): Promise<void> {
  const until = new Date(needs.now().getTime() + revocationKeptMs(needs.lifetimes.accessSeconds));
  await Promise.all([
    // Gateways that start later must still refuse the last tokens.
    needs.revocations.keepErased({ id, ver: tokenVersion, until }),
    needs.sessions.removeBelow(id, tokenVersion + 1),
    needs.loginThrottle.forget(email),
    needs.knownClients.forget(id),
    needs.codeCounts.forget(email),
    needs.recoveries.erase(id),
    needs.registrations.erase(email),
    needs.factors.change(id, eraseFactors),
    needs.mfaTokens.removeAll(id),
    needs.emailChanges.erase(id),
    needs.reversals.erase({ id, email }, needs.now()),
    needs.exports.change(exportIdOf(id), deleteRequest),
    needs.exportPages.erase(id),
    needs.personKeys.forget(id),
  ]);
  // Before the user: an email that still had an owner would give its next user the old id.
  await needs.emails.release(email, id);
  const erased = audited('identity', system, 'erasure-finished', { object: { type: 'user', id } });
  await needs.users.change(id, (current) => withFacts(eraseUser(current), erased));
}
