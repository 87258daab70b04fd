import { audited, system, withFacts, type UserDataKeeper } from '@storefront/contracts';
import type { User } from '../../domain/user.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import { deleteRequest, erasureIdOf, exportIdOf, recordErased } from '../domain/data-request.ts';
import { eraseUser } from '../domain/erasure.ts';
import type { Erasures, Exports } from '../store/data-requests.ts';
import type { ExportPages } from '../store/export-pages.ts';
import type { PersonalData } from './collect-own-data.ts';

export interface ErasureNeeds {
  readonly users: Users;
  readonly emails: Emails;
  readonly erasures: Erasures;
  readonly exports: Exports;
  readonly exportPages: Pick<ExportPages, 'erase'>;
  /** One for each area. */
  readonly kept: readonly PersonalData[];
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
  // The user is erased last: after a crash at any earlier point, the same event continues the erasure.
  if (user) await eraseOwn(needs, user);
  await needs.erasures.change(erasureIdOf(userId), deleteRequest);
}

async function eraseOwn(needs: ErasureNeeds, { id, email }: User): Promise<void> {
  await Promise.all([
    ...needs.kept.map((each) => each.erase({ userId: id, email })),
    needs.exports.change(exportIdOf(id), deleteRequest),
    needs.exportPages.erase(id),
  ]);
  // Before the user: a new user of an email that still had an owner would get the old id.
  await needs.emails.release(email, id);
  const erased = audited('identity', system, 'erasure-finished', { object: { type: 'user', id } });
  await needs.users.change(id, (current) => withFacts(eraseUser(current), erased));
}
