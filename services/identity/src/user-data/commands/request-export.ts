import { audited, notFound, withFacts, type Actor } from '@storefront/contracts';
import { exportIdOf, startExport, type UserExport } from '../domain/data-request.ts';
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
 * Requests the user's data from every service. Needs a fresh proof. If an export is already being made, returns that
 * export.
 */
export async function requestExport(
  needs: Needs,
  caller: CallerSession,
  exportId: string,
  actor: Actor,
): Promise<UserExport> {
  await needs.factors.requireFreshProof(caller);
  const { users, exports, now } = needs;
  const userId = caller.sub;
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') throw notFound('user');
  const { email } = user;
  const { result } = await exports.change(exportIdOf(userId), (current) =>
    withFacts(
      startExport(current, { userId, email, exportId }, now()),
      audited('identity', actor, 'export-requested', { object: { type: 'user', id: userId } }),
    ),
  );
  return result;
}
