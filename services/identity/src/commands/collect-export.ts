import { readEntries } from '../audit/commands/read-entries.ts';
import type { ReadEntriesNeeds } from '../audit/commands/read-entries.ts';
import { activityOf } from '../audit/domain/activity.ts';
import type { Activity } from '../audit/domain/activity.ts';
import { addPart, deleteRequest, exportIdOf } from '../domain/data-request.ts';
import type { ExportPart } from '../domain/data-request.ts';
import { ownData } from '../domain/own-data.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

interface Needs extends ReadEntriesNeeds {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** A service has sent its part of an export. It may be repeated, in any order. */
export async function collectExport(needs: Needs, userId: string, part: ExportPart): Promise<void> {
  const { users, sessions, exports, now } = needs;
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') {
    await exports.change(exportIdOf(userId), deleteRequest);
    return;
  }
  const [newest, activity] = await Promise.all([sessions.newestOf(userId), activityFor(needs, userId)]);
  const own = { user, data: ownData(user, newest, activity) };
  await exports.change(exportIdOf(userId), (current) => addPart(current, part, own, now()));
}

// An export is one document. The list of the API has all of it.
const mostEntries = 1000;

async function activityFor(needs: ReadEntriesNeeds, userId: string): Promise<Activity[]> {
  const { items } = await readEntries(needs, { user: userId }, { limit: mostEntries, after: undefined });
  return items.map((entry) => activityOf(entry, userId));
}
