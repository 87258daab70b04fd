import type { AuditEntry } from './entry.ts';

/** An entry as a person sees it who is concerned by it. */
export interface Activity extends Pick<
  AuditEntry,
  'id' | 'at' | 'action' | 'outcome' | 'reason' | 'object' | 'details'
> {
  readonly by: 'you' | 'administrator' | 'operator' | 'somebody';
  readonly ip: string | null;
  readonly device: string | null;
}

/**
 * What the user may see of an entry that concerns them. Of another person who acted it says no more than that it was an
 * administrator; of a stranger it shows the address, since it may be that of somebody who guesses the password. Of another
 * person to whom the user did something, it shows nothing.
 */
export function activityOf({ actor, object, about, details, ...entry }: AuditEntry, userId: string): Activity {
  const isOwn = actor.userId === userId;
  const isStranger = actor.role === 'nobody';
  const isAboutOther = about !== null && about !== userId;
  return {
    id: entry.id,
    at: entry.at,
    action: entry.action,
    outcome: entry.outcome,
    reason: entry.reason,
    by: isOwn ? 'you' : isStranger ? 'somebody' : actor.role === 'operator' ? 'operator' : 'administrator',
    ip: isOwn || isStranger ? actor.ip : null,
    device: isOwn || isStranger ? actor.device : null,
    object: isAboutOther ? { type: object.type, id: null } : object,
    details: isAboutOther ? {} : details,
  };
}
