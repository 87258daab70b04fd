import { notFound } from '@storefront/contracts';
import { exportIdOf, startExport } from '../domain/data-request.ts';
import type { UserExport } from '../domain/data-request.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Users } from '../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** Asks every service for what it keeps about the user. Returns the export that is being made, if there is one. */
export async function requestExport(
  { users, exports, now }: Needs,
  userId: string,
  exportId: string,
): Promise<UserExport> {
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') throw notFound('user');
  const { email } = user;
  const { result } = await exports.change(exportIdOf(userId), (current) =>
    startExport(current, { userId, email, exportId }, now()),
  );
  return result;
}
