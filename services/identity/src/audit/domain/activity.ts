import type { AuditEntry } from './entry.ts';

/** An entry as shown to a person whom it concerns. */
export interface Activity extends Pick<
  AuditEntry,
  'id' | 'at' | 'action' | 'outcome' | 'reason' | 'object' | 'details'
> {
  readonly by: 'you' | 'administrator' | 'operator' | 'somebody';
  readonly ip: string | null;
  readonly device: string | null;
}

/**
 * What the user may see of an entry that concerns them. If another person acted, only that an administrator did. If a stranger
 * acted, also the address, since the stranger may be guessing the password. If the user acted on another person, nothing about
 * that person.
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
