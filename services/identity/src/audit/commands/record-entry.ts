import type { AuditRecord } from '@storefront/contracts';
import type { Budgets } from '@storefront/mongo';
import { partsOf, type StoredEntry } from '../domain/entry.ts';
import { attemptsOf, isKept, limitsOf } from '../domain/flood.ts';
import type { Entries } from '../store/entries.ts';
import type { PersonKey, PersonKeys } from '../store/person-keys.ts';

export interface RecordEntryNeeds {
  readonly entries: Entries;
  /** Counts the entries of each kind on each day (UTC). */
  readonly floods: Budgets;
  readonly personKeys: PersonKeys;
  /** The keyed hash of an address. */
  readonly hashAddress: (ip: string) => string;
}

interface Recorded {
  /** The same for each try to record the entry, so that only the first try inserts it. */
  readonly id: string;
  readonly at: Date;
  readonly record: AuditRecord;
}

/**
 * Writes an entry. If there were too many entries like it on that day, only a few of them are written, and these say
 * how many there were.
 */
export async function recordEntry(needs: RecordEntryNeeds, entry: Recorded): Promise<void> {
  const { record } = entry;
  const counted = await Promise.all(
    limitsOf(record).map(async (limit) => ({ limit, count: (await needs.floods.spend(limit.key, entry.at)).count })),
  );
  if (!isKept(counted)) return;
  const attempts = attemptsOf(counted);
  const details = attempts === null ? record.details : { ...record.details, attempts };
  await write(needs, { ...entry, record: { ...record, details } });
}

/** Writes an entry; data that identifies a person is encrypted. Data about an erased person is left out. */
async function write(needs: RecordEntryNeeds, { id, at, record }: Recorded): Promise<void> {
  const { actor, subject, objectId, details, strangerIp } = partsOf(record);
  const [actorKey, subjectKey] = await Promise.all([
    actor && needs.personKeys.of(actor.userId),
    subject && needs.personKeys.of(subject.userId),
  ]);
  await needs.entries.add({
    id,
    at,
    action: record.action,
    outcome: record.outcome,
    reason: record.reason,
    role: record.actor.role,
    objectType: record.object.type,
    objectId,
    persons: [...new Set([actorKey, subjectKey].flatMap((key) => key?.ref ?? []))],
    actor: sealed(actorKey, placeOf(id, 'actor'), actor),
    subject: sealed(subjectKey, placeOf(id, 'subject'), subject),
    addressHash: strangerIp === null ? null : needs.hashAddress(strangerIp),
    details,
    cameLate: (actor !== null && !actorKey) || (subject !== null && !subjectKey),
  });
}

/** Names the place where a part is stored. The part can be decrypted only with the same name. */
export function placeOf(entryId: string, part: 'actor' | 'subject'): string {
  return `${entryId} ${part}`;
}

function sealed(key: PersonKey | null, place: string, part: object | null): StoredEntry['actor'] {
  return key && part && { ref: key.ref, sealed: key.seal(place, part) };
}
