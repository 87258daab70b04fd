import { audited, notFound, withFacts, type Actor } from '@storefront/contracts';
import { exportIdOf, startExport, type RequestedBy, type UserExport } from '../domain/data-request.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Users } from '../../store/users.ts';
import type { CallerSession } from '../../domain/caller.ts';
import type { FactorsArea } from '../../factors/factors.ts';

interface Needs {
  readonly factors: Pick<FactorsArea, 'requireFreshProof'>;
  readonly now: () => Date;
  readonly users: Users;
  readonly exports: Exports;
}

/**
 * Requests the data of the user, who is the caller or is named by an administrator, from every service. The caller needs
 * a fresh proof. If an export is already being made, returns that export. Throws `not_found` where there is no such user
 * or the user is being erased.
 */
export async function requestExport(
  needs: Needs,
  caller: CallerSession,
  { userId, exportId, by }: { readonly userId: string; readonly exportId: string; readonly by: RequestedBy },
  actor: Actor,
): Promise<UserExport> {
  const { users, exports, now } = needs;
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') throw notFound('user');
  await needs.factors.requireFreshProof(caller);
  const { email } = user;
  const { result } = await exports.change(exportIdOf(userId), (current) =>
    withFacts(
      startExport(current, { userId, email, exportId, by }, now()),
      audited('identity', actor, 'export-requested', { object: { type: 'user', id: userId } }),
    ),
  );
  return result;
}
