import { addPart, deleteRequest, exportIdOf } from '../domain/data-request.ts';
import type { ExportPart } from '../domain/data-request.ts';
import { ownData } from '../domain/own-data.ts';
import type { EmailChanges } from '../email-change/store/email-changes.ts';
import type { FactorStore } from '../factors/store/factors.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly factors: FactorStore;
  readonly emailChanges: EmailChanges;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** A service has sent its part of an export. It may be repeated, in any order. */
export async function collectExport(
  { users, sessions, factors, emailChanges, exports, now }: Needs,
  userId: string,
  part: ExportPart,
): Promise<void> {
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') {
    await exports.change(exportIdOf(userId), deleteRequest);
    return;
  }
  const [ofUser, known, formerEmails] = await Promise.all([
    sessions.newestOf(userId),
    factors.load(userId),
    emailChanges.reversalsOf(userId),
  ]);
  const own = { user, data: ownData(user, { sessions: ofUser, factors: known?.state ?? null, formerEmails }) };
  await exports.change(exportIdOf(userId), (current) => addPart(current, part, own, now()));
}
