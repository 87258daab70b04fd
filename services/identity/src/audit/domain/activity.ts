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
 * The part of an entry that a user whom the entry concerns may see. Another person who acted is shown only as an
 * administrator (which stands for all staff) or operator. Of a stranger who acted, address and device are shown too, since the stranger may be
 * guessing the password. If the user acted on another person, nothing about that person is shown.
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
