import {
  batchReads,
  collectionOf,
  defineCollection,
  integer,
  isDuplicate,
  oneOf,
  optional,
  text,
  type DocumentOf,
} from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { audienceSegments, type AudienceSegment, type MessageSegment } from '../domain/segments.ts';

/** Where mails to a user go. Events of other services than identity name the user only. The id is the user's. */
export const recipients = defineCollection(
  'recipients',
  {
    email: text(),
    firstName: text(),
    /** Missing until an event states it. It never changes. */
    role: optional(oneOf(['retail', 'trade', 'admin'])),
    sequence: integer(),
    /** Which announcements the user gets. Missing until an event states it. */
    segment: optional(oneOf(audienceSegments)),
    segmentSequence: optional(integer()),
  },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['_id'], because: 'an announcement reads all in the order of their ids' }],
    },
  },
);

interface MailRecipient {
  readonly email: string;
  readonly firstName: string;
}

/** What events state about a user. */
interface PublishedRecipient extends MailRecipient {
  readonly role?: 'retail' | 'trade' | 'admin';
  readonly segment?: AudienceSegment | undefined;
}

/** A person whom announcements may reach. */
export interface Addressee {
  /** The user's. */
  readonly id: string;
  readonly email: string;
  /** Missing where it is not known yet. */
  readonly segment?: AudienceSegment;
}

export interface Recipients {
  find(userId: string): Promise<MailRecipient | null>;
  /**
   * For statistics; undefined for an administrator and for a user who is not known. The calls of one moment are one
   * read.
   */
  segmentOf(userId: string): Promise<MessageSegment | undefined>;
  /** Those whose ids come after `id`, in the order of their ids. */
  after(id: string, limit: number): Promise<Addressee[]>;
  /**
   * `sequence` is the version of the user in the event: one that is older than what is stored changes nothing. Without
   * a role or a segment, the stored one stays.
   */
  save(userId: string, recipient: PublishedRecipient, sequence: number): Promise<void>;
  delete(userId: string): Promise<void>;
}

export function openRecipients({ database }: Resources): Recipients {
  const collection = collectionOf(database, recipients);
  const readRole = batchReads(collection, { role: 1 });
  return {
    async find(userId) {
      return collection.findOne<MailRecipient>({ _id: userId }, { projection: { _id: 0, email: 1, firstName: 1 } });
    },
    async segmentOf(userId) {
      const role = (await readRole(userId))?.role;
      return role === 'admin' ? undefined : role;
    },
    async after(id, limit) {
      const found = await collection
        .find({ _id: { $gt: id } }, { projection: { email: 1, segment: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, email, segment }) => ({ id: _id, email, ...(segment && { segment }) }));
    },
    async save(userId, { email, firstName, role, segment }, sequence) {
      const contact = { email, firstName, sequence };
      const ofSegment = segment === undefined ? {} : { segment, segmentSequence: sequence };
      const fields = { ...ifNewer(contact, 'sequence'), ...ifNewer(ofSegment, 'segmentSequence') };
      const update = [{ $set: { ...fields, ...(role && { role }) } }];
      try {
        await collection.updateOne({ _id: userId }, update, { upsert: true });
      } catch (error) {
        // Another event about a new user has just stored it.
        if (!isDuplicate(error)) throw error;
        await collection.updateOne({ _id: userId }, update);
      }
    },
    async delete(userId) {
      await collection.deleteOne({ _id: userId });
    },
  };
}

/** Sets each field where the sequence is not older than the stored one, and else leaves it as it is. */
function ifNewer(fields: Partial<DocumentOf<typeof recipients>>, by: 'sequence' | 'segmentSequence') {
  const isNewer = { $gte: [{ $literal: fields[by] }, { $ifNull: [`$${by}`, -1] }] };
  return Object.fromEntries(
    // As a literal: a name that begins with a dollar is no field.
    Object.entries(fields).map(([name, value]) => [name, { $cond: [isNewer, { $literal: value }, `$${name}`] }]),
  );
}
