import { identityHttp, isStaff, reading, readingOf, type Reading } from '@storefront/contracts';
import { batchReads, collectionOf, defineCollection, isDuplicate, type DocumentOf } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { z } from 'zod';
import { audienceSegments, type MessageSegment } from '../domain/segments.ts';

/**
 * The email address and name of each user. They are stored here because other services than identity name only the user
 * in their events. The id is the user's id.
 */
export const recipients = defineCollection(
  'recipients',
  {
    email: z.string(),
    firstName: z.string(),
    /** How the user wants to be written to. */
    ...reading,
    /** The user's role. Missing until an event states it. */
    role: identityHttp.role.optional(),
    sequence: z.int(),
    /** Which announcements the user gets. Missing until an event states the segment. */
    segment: z.enum(audienceSegments).optional(),
    segmentSequence: z.int().optional(),
  },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['_id'], because: 'an announcement reads all in the order of their ids' }],
    },
  },
);

type Recipient = DocumentOf<typeof recipients>;
type MailRecipient = Pick<Recipient, 'email' | 'firstName'> & Reading;
/** The facts about a user that events state. */
type PublishedRecipient = Pick<Recipient, 'email' | 'firstName' | 'role' | 'segment'> & Reading;
/** A person who may get announcements. The id is the user's id. */
export type Addressee = Pick<Recipient, 'email' | 'segment'> & Reading & { readonly id: string };

export interface Recipients {
  find(userId: string): Promise<MailRecipient | null>;
  /**
   * Returns the user's segment for statistics; undefined for staff and for an unknown user. Calls at the
   * same moment share one read.
   */
  segmentOf(userId: string): Promise<MessageSegment | undefined>;
  /** Returns users whose ids come after `id`, in the order of their ids. */
  after(id: string, limit: number): Promise<Addressee[]>;
  /**
   * Saves a user. `sequence` is the version of the user in the event; an event that is older than the stored version
   * changes nothing. Without a role or a segment, the stored value stays; a language and a time zone do not.
   */
  save(userId: string, recipient: PublishedRecipient, sequence: number): Promise<void>;
  delete(userId: string): Promise<void>;
}

export function openRecipients({ database }: Resources): Recipients {
  const collection = collectionOf(database, recipients);
  const readRole = batchReads(collection, { role: 1 });
  return {
    async find(userId) {
      return collection.findOne<MailRecipient>(
        { _id: userId },
        { projection: { _id: 0, email: 1, firstName: 1, locale: 1, timeZone: 1 } },
      );
    },
    async segmentOf(userId) {
      const role = (await readRole(userId))?.role;
      return isStaff(role) ? undefined : role;
    },
    async after(id, limit) {
      const found = await collection
        .find({ _id: { $gt: id } }, { projection: { email: 1, segment: 1, locale: 1, timeZone: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, email, segment, ...more }) => ({
        id: _id,
        email,
        ...(segment && { segment }),
        ...readingOf(more),
      }));
    },
    async save(userId, { email, firstName, locale, timeZone, role, segment }, sequence) {
      const contact = { email, firstName, locale, timeZone, sequence };
      const ofRole = { ...(role && { role }), ...(segment && { segment, segmentSequence: sequence }) };
      const update = [
        { $set: { ...ifNewer(contact, 'sequence', sequence), ...ifNewer(ofRole, 'segmentSequence', sequence) } },
      ];
      try {
        await collection.updateOne({ _id: userId }, update, { upsert: true });
      } catch (error) {
        // Another event about the same new user was stored at the same moment.
        if (!isDuplicate(error)) throw error;
        await collection.updateOne({ _id: userId }, update);
      }
    },
    async delete(userId) {
      await collection.deleteOne({ _id: userId });
    },
  };
}

/** Returns an update that sets the fields unless the stored sequence in `by` is newer; then the fields stay the same. */
function ifNewer(
  fields: { readonly [Name in keyof DocumentOf<typeof recipients>]?: unknown },
  by: 'sequence' | 'segmentSequence',
  sequence: number,
) {
  const isNewer = { $gte: [{ $literal: sequence }, { $ifNull: [`$${by}`, -1] }] };
  return Object.fromEntries(
    // A literal, so that MongoDB does not take a first name that begins with a dollar sign as a field.
    Object.entries(fields).map(([name, value]) => {
      const stored = value === undefined ? '$$REMOVE' : { $literal: value };
      return [name, { $cond: [isNewer, stored, `$${name}`] }];
    }),
  );
}
