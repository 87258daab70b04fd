import { isId, type AuditDetails, type AuditRecord } from '@storefront/contracts';

/** An entry as it is read, with all data that can still be decrypted. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly outcome: AuditRecord['outcome'];
  readonly reason: string | null;
  readonly actor: AuditRecord['actor'];
  /** A keyed hash of the actor's address. Set only where both the actor and the account concerned are unknown. */
  readonly addressHash: string | null;
  readonly object: AuditRecord['object'];
  readonly about: string | null;
  readonly details: AuditDetails;
  /** Whether a person whom the entry concerns was erased. */
  readonly erased: boolean;
}

/** The data that identifies the actor of an entry. Encrypted with the key of that person. */
export interface ActorPart {
  readonly userId: string;
  readonly ip: string | null;
  readonly device: string | null;
}

/** The data that identifies the person whose account the entry concerns. Encrypted with the key of that person. */
export interface SubjectPart {
  readonly userId: string;
  readonly details: AuditDetails;
  /** Address (`ip`) and device of a stranger who acted. They are kept in this part since a stranger has no key. */
  readonly ip: string | null;
  readonly device: string | null;
}

/** An entry split into parts, so that each part identifies only one person. */
export interface EntryParts {
  readonly actor: ActorPart | null;
  readonly subject: SubjectPart | null;
  /** Null where the object is a user: the subject has the user's id then. */
  readonly objectId: string | null;
  /** Null where the entry concerns a person: the details are encrypted with that person's key then. */
  readonly details: AuditDetails | null;
  /** The address of a stranger whose action concerned no account. Only a keyed hash of this address is stored. */
  readonly strangerIp: string | null;
}

/** Splits a record into the parts that identify a person, which are encrypted, and the other fields, which are not. */
export function partsOf({ actor, about, object, details }: AuditRecord): EntryParts {
  const { userId, ip, device } = actor;
  const stranger = userId === null ? { ip, device } : { ip: null, device: null };
  return {
    actor: userId === null ? null : { userId, ip, device },
    subject: about === null ? null : { userId: about, details, ...stranger },
    objectId: object.id !== null && isId('user', object.id) ? null : object.id,
    details: about === null ? details : null,
    strangerIp: userId === null && about === null ? ip : null,
  };
}

/**
 * A stored entry with its parts decrypted. A part is undefined where its key was deleted, and null where the entry has
 * no such part.
 */
export interface OpenedEntry {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly outcome: AuditRecord['outcome'];
  readonly reason: string | null;
  readonly role: string;
  readonly objectType: string;
  readonly objectId: string | null;
  readonly addressHash: string | null;
  readonly details: AuditDetails | null;
  readonly actor: ActorPart | null | undefined;
  readonly subject: SubjectPart | null | undefined;
  /** Whether a person whom the entry concerns had been erased before the entry was written. */
  readonly cameLate: boolean;
}

/** Joins the parts of an entry that could be decrypted. */
export function toEntry(opened: OpenedEntry): AuditEntry {
  const { actor, subject, role, objectType: type, objectId, ...entry } = opened;
  const isUser = type === 'user';
  const about = subject?.userId ?? null;
  return {
    id: entry.id,
    at: entry.at,
    action: entry.action,
    outcome: entry.outcome,
    reason: entry.reason,
    actor: {
      userId: actor?.userId ?? null,
      role,
      ip: actor ? actor.ip : (subject?.ip ?? null),
      device: actor ? actor.device : (subject?.device ?? null),
    },
    addressHash: entry.addressHash,
    object: { type, id: objectId ?? (isUser ? about : null) },
    about,
    details: entry.details ?? subject?.details ?? {},
    erased: entry.cameLate || actor === undefined || subject === undefined,
  };
}
