import { addPart, deleteRequest, exportIdOf } from '../domain/data-request.ts';
import type { ExportPart } from '../domain/data-request.ts';
import { ownData } from '../domain/own-data.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** A service has sent its part of an export. It may be repeated, in any order. */
export async function collectExport(
  { users, sessions, exports, now }: Needs,
  userId: string,
  part: ExportPart,
): Promise<void> {
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') {
    await exports.change(exportIdOf(userId), deleteRequest);
    return;
  }
  const own = { user, data: ownData(user, await sessions.newestOf(userId)) };
  await exports.change(exportIdOf(userId), (current) => addPart(current, part, own, now()));
}
