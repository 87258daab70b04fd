import { readEntries } from '../audit/commands/read-entries.ts';
import type { ReadEntriesNeeds } from '../audit/commands/read-entries.ts';
import { activityOf } from '../audit/domain/activity.ts';
import type { Activity } from '../audit/domain/activity.ts';
import { addPart, deleteRequest, exportIdOf } from '../domain/data-request.ts';
import type { ExportPart } from '../domain/data-request.ts';
import { ownData } from '../domain/own-data.ts';
import type { EmailChanges } from '../email-change/store/email-changes.ts';
import type { FactorStore } from '../factors/store/factors.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

interface Needs extends ReadEntriesNeeds {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly factors: FactorStore;
  readonly emailChanges: EmailChanges;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** A service has sent its part of an export. It may be repeated, in any order. */
export async function collectExport(needs: Needs, userId: string, part: ExportPart): Promise<void> {
  const { users, sessions, factors, emailChanges, exports, now } = needs;
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') {
    await exports.change(exportIdOf(userId), deleteRequest);
    return;
  }
  const [ofUser, known, formerEmails, activity] = await Promise.all([
    sessions.newestOf(userId),
    factors.load(userId),
    emailChanges.reversalsOf(userId),
    activityFor(needs, userId),
  ]);
  const data = ownData(user, { sessions: ofUser, factors: known?.state ?? null, formerEmails, activity });
  const own = { user, data };
  await exports.change(exportIdOf(userId), (current) => addPart(current, part, own, now()));
}

// An export is one document. The list of the API has all of it.
const mostEntries = 1000;

async function activityFor(needs: ReadEntriesNeeds, userId: string): Promise<Activity[]> {
  const { items } = await readEntries(needs, { user: userId }, { limit: mostEntries, after: undefined });
  return items.map((entry) => activityOf(entry, userId));
}
