import { audited, deletedIfAny, system, withFacts, type UserDataKeeper } from '@storefront/contracts';
import type { PersonalData } from '@storefront/user-data';
import type { User } from '../../domain/user.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import { erasureIdOf, exportIdOf, recordErased } from '../domain/data-request.ts';
import { eraseUser } from '../domain/erasure.ts';
import type { Erasures, Exports } from '../store/data-requests.ts';
import type { ExportPages } from '../store/export-pages.ts';

export interface ErasureNeeds {
  readonly users: Users;
  readonly emails: Emails;
  readonly erasures: Erasures;
  readonly exports: Exports;
  readonly exportPages: Pick<ExportPages, 'erase'>;
  /** How each area of identity erases its data about a user. */
  readonly kept: readonly PersonalData[];
}

/**
 * Records that a service has erased its part. After the last service, identity erases its own part. Answers may arrive
 * in any order and more than once.
 */
export async function finishErasure(needs: ErasureNeeds, userId: string, keeper: UserDataKeeper): Promise<void> {
  const { result: erasure } = await needs.erasures.change(erasureIdOf(userId), (current) =>
    recordErased(current, keeper),
  );
  if (erasure?.waitingFor.length === 0) await endErasure(needs, userId);
}

/** Erases identity's own part, after all services have erased theirs. May be repeated. */
export async function endErasure(needs: ErasureNeeds, userId: string): Promise<void> {
  const user = (await needs.users.load(userId))?.state;
  // The user is deleted last, so that after a crash at any earlier point the same event continues the erasure.
  if (user) await eraseOwn(needs, user);
  await needs.erasures.change(erasureIdOf(userId), deletedIfAny);
}

async function eraseOwn(needs: ErasureNeeds, { id, email }: User): Promise<void> {
  await Promise.all([
    ...needs.kept.map((each) => each.erase({ userId: id, email })),
    needs.exports.change(exportIdOf(id), deletedIfAny),
    needs.exportPages.erase(id),
  ]);
  // The email is released before the user is deleted. Otherwise a new user with this email would get the old user's id.
  await needs.emails.release(email, id);
  const erased = audited('identity', system, 'erasure-finished', { object: { type: 'user', id } });
  await needs.users.change(id, (current) => withFacts(eraseUser(current), erased));
}
