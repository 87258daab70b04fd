import { isId, type AuditDetails, type AuditRecord, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** A part that is encrypted with the key of a person. `ref` is that of the key. */
const sealedPart = z.object({ ref: z.string(), sealed: z.string() });

/** An entry as it is stored. */
export const storedEntry = z.object({
  id: z.string(),
  at: z.date(),
  action: z.string(),
  outcome: z.enum(['done', 'refused']),
  reason: z.string().nullable(),
  /** The actor's role. */
  role: z.string(),
  objectType: z.string(),
  objectId: z.string().nullable(),
  /** The `ref` of the key of each person whom the entry concerns. Used to find the entries of a person. */
  persons: z.array(z.string()).readonly(),
  actor: sealedPart.nullable(),
  subject: sealedPart.nullable(),
  /** A keyed hash of the actor's address. Set only where both the actor and the account concerned are unknown. */
  addressHash: z.string().nullable(),
  details: z.custom<AuditDetails>().nullable(),
  /**
   * Whether a person whom the entry concerns had been erased before it was written. The entry has nothing about that
   * person then.
   */
  cameLate: z.boolean(),
});
export type StoredEntry = StateOf<typeof storedEntry>;

/** An entry as it is read, with all data that can still be decrypted. */
export interface AuditEntry extends Pick<StoredEntry, 'id' | 'at' | 'action' | 'outcome' | 'reason' | 'addressHash'> {
  readonly actor: AuditRecord['actor'];
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
export interface OpenedEntry extends Omit<StoredEntry, 'persons' | 'actor' | 'subject'> {
  readonly actor: ActorPart | null | undefined;
  readonly subject: SubjectPart | null | undefined;
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
