import { isId, type AuditDetails, type AuditRecord } from '@storefront/contracts';

/** An entry as it is read: everything that is still known. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly outcome: AuditRecord['outcome'];
  readonly reason: string | null;
  readonly actor: AuditRecord['actor'];
  /** A keyed hash of the address, where neither who acted nor whose account it concerns is known. */
  readonly addressHash: string | null;
  readonly object: AuditRecord['object'];
  readonly about: string | null;
  readonly details: AuditDetails;
  /** Somebody it is about was erased. */
  readonly erased: boolean;
}

/** What of an entry leads to whoever did it. Encrypted with their key. */
export interface ActorPart {
  readonly userId: string;
  readonly ip: string | null;
  readonly device: string | null;
}

/** What of an entry leads to the person whose account it concerns. Encrypted with their key. */
export interface SubjectPart {
  readonly userId: string;
  readonly details: AuditDetails;
  /** Of a stranger, who has no key of their own. */
  readonly ip: string | null;
  readonly device: string | null;
}

/** An entry by what it says about whom. */
export interface EntryParts {
  readonly actor: ActorPart | null;
  readonly subject: SubjectPart | null;
  /** Null where the object is a person, who is the subject then. */
  readonly objectId: string | null;
  /** Only where no person is concerned; otherwise they are part of what is encrypted. */
  readonly details: AuditDetails | null;
  /** The address of a stranger that concerns no account: only its keyed hash is kept. */
  readonly strangerIp: string | null;
}

/** Sorts out what of a record is whose: what is stored in clear leads to nobody. */
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

/** A stored entry, with the parts of persons opened; undefined where their key is gone, null where there is none. */
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
  /** Somebody it is about had been erased when it was written. */
  readonly cameLate: boolean;
}

/** Puts an entry together again from what can still be read. */
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
