import { eventRecordDays, type PageOf, type Slice } from '@storefront/contracts';
import {
  after,
  collectionOf,
  createOutbox,
  isDuplicate,
  toPage,
  type Collection,
  type Stored,
} from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { isRole, type AddedNotification, type Notification, type Reader } from '../domain/notification.ts';
import { newestFirst, notifications, toNotification, type NotificationDocument } from './collections.ts';
import { readUpdate } from './read-update.ts';
import { openRoleNotifications, type NotificationFilter, type RoleReader } from './role-notifications.ts';

/** The notifications that readers see: their own, which contain their read mark, and those of their role. */
export interface Notifications {
  /**
   * Stores a notification and its facts unless the id is taken. Returns whether the notification was new. Of each user
   * the newest 5,000 notifications are kept.
   */
  insert(added: AddedNotification): Promise<boolean>;
  /** Stores notifications to users. Leaves out notifications whose ids are taken. */
  insertAll(added: readonly AddedNotification[]): Promise<void>;
  /** Returns which of these ids are taken, also by deleted notifications. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Lists the reader's notifications, newest first. */
  list(reader: Reader, filter: NotificationFilter, slice: Slice): Promise<PageOf<Notification>>;
  countUnread(reader: Reader): Promise<number>;
  /** Returns the notifications that were created after `time`, oldest first. */
  since(reader: Reader, time: Date): Promise<Notification[]>;
  /**
   * Marks a notification as read at `readAt`, or as unread where `readAt` is null. Returns null where the reader has no
   * such notification. When users read a notification of their own for the first time, an event is published, here and
   * by `markAllRead`.
   */
  mark(reader: Reader, id: string, readAt: Date | null): Promise<Notification | null>;
  /** Marks all notifications as read, and returns how many were unread. */
  markAllRead(reader: Reader, readAt: Date): Promise<number>;
  /** Deletes a notification, and returns whether the reader had it. */
  delete(reader: Reader, id: string): Promise<boolean>;
  /** Deletes the user's own notifications, and empties those of a role that are about the user. */
  eraseUser(userId: string): Promise<void>;
}

// The id of a deleted notification is kept for a while, without an audience. Otherwise an event that is delivered again
// would create the notification again.
const deletedIdsKeptMs = eventRecordDays * 24 * 60 * 60 * 1000;

const maxOfUser = 5000;

/** Matches notifications without unpublished events. Only these may be deleted. */
const nothingToPublish = { 'outbox.0': { $exists: false } } as const;

export function openNotifications(resources: Resources): Notifications {
  const collection = collectionOf(resources.database, notifications);
  // The outbox uses only the `outbox` field of the documents, so this cast is safe.
  const stored = collection as unknown as Collection<Stored>;
  const outbox = createOutbox(stored, resources);
  const roleNotifications = openRoleNotifications(resources);

  /**
   * Deletes the user's notifications except the newest 5,000. Reads only the index, and only a few keys for most users.
   */
  async function dropOldest(audience: string): Promise<void> {
    const beyond = await collection
      .find({ audience }, { projection: { _id: 1, createdAt: 1 }, hint: 'audience_1_createdAt_-1__id_-1' })
      .sort(newestFirst)
      .skip(maxOfUser)
      .limit(1)
      .next();
    if (!beyond) return;
    const { _id, createdAt } = beyond;
    await collection.deleteMany({
      audience,
      ...nothingToPublish,
      $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lte: _id } }],
    });
  }

  function documentOf({ notification: { id, ...fields }, segment, facts }: AddedNotification): NotificationDocument {
    const unread = fields.readAt === null;
    return { _id: id, ...fields, unread, ...(segment && { segment }), outbox: outbox.record(facts, 1) };
  }

  async function known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const found = collection.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } });
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  return {
    async insert(added) {
      const { audience } = added.notification;
      const kept = isRole(audience) ? { keptUntil: roleNotifications.keptUntil() } : {};
      const document = documentOf(added);
      try {
        await collection.insertOne({ ...document, ...kept });
        outbox.publish(document._id, document.outbox);
        if (!isRole(audience)) await dropOldest(audience);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },

    async insertAll(added) {
      if (added.length === 0) return;
      const documents = added.map(documentOf);
      const ids = documents.map(({ _id }) => _id);
      try {
        await collection.insertMany(documents, { ordered: false });
        for (const { _id, outbox: events } of documents) outbox.publish(_id, events);
      } catch (error) {
        // Of several errors MongoDB shows only one, so this checks that all notifications are stored. The relay
        // publishes the events of the new ones.
        if (!isDuplicate(error) || (await known(ids)).size < added.length) throw error;
      }
      const full = await collection
        .aggregate<{ readonly _id: string }>(
          [
            { $match: { audience: { $in: added.map(({ notification: { audience } }) => audience) } } },
            { $group: { _id: '$audience', count: { $sum: 1 } } },
            { $match: { count: { $gt: maxOfUser } } },
          ],
          { hint: 'audience_1_createdAt_-1__id_-1' },
        )
        .toArray();
      for (const { _id: audience } of full) await dropOldest(audience);
    },

    known,

    async list(reader, filter, slice) {
      const { status, type } = filter;
      const own = collection
        .find({
          audience: reader.userId,
          ...(type === undefined ? {} : { type }),
          ...(status === 'all' ? {} : { unread: status === 'unread' }),
          ...after(newestFirst, slice.after),
        })
        .sort(newestFirst)
        .limit(slice.limit + 1)
        .toArray();
      const [mine, ofRole] = await Promise.all([
        own,
        hasRole(reader) ? roleNotifications.list(reader, filter, slice) : [],
      ]);
      const all = [...mine.map(toNotification), ...ofRole].sort(byNewest);
      return toPage(all, { order: newestFirst, limit: slice.limit });
    },

    async countUnread(reader) {
      const [mine, ofRole] = await Promise.all([
        collection.countDocuments({ audience: reader.userId, unread: true }),
        hasRole(reader) ? roleNotifications.countUnread(reader) : 0,
      ]);
      return mine + ofRole;
    },

    async since(reader, time) {
      const own = await collection
        .find({ audience: reader.userId, createdAt: { $gt: time } })
        .sort({ createdAt: 1, _id: 1 })
        .toArray();
      const mine = own.map(toNotification);
      if (!hasRole(reader)) return mine;
      return [...mine, ...(await roleNotifications.since(reader, time))].sort((one, other) => byNewest(other, one));
    },

    async mark(reader, id, readAt) {
      const own = await collection.findOneAndUpdate(
        { _id: id, audience: reader.userId },
        readAt === null ? { $set: { readAt, unread: true } } : readUpdate(readAt),
        { returnDocument: 'after' },
      );
      if (own) {
        outbox.publish(id, own.outbox);
        return toNotification(own);
      }
      return hasRole(reader) ? roleNotifications.mark(reader, id, readAt) : null;
    },

    async markAllRead(reader, readAt) {
      const [mine, ofRole] = await Promise.all([
        collection.updateMany({ audience: reader.userId, unread: true }, readUpdate(readAt)),
        hasRole(reader) ? roleNotifications.markAllRead(reader, readAt) : 0,
      ]);
      return mine.modifiedCount + ofRole;
    },

    async delete(reader, id) {
      const { matchedCount } = await collection.updateOne(
        { _id: id, audience: reader.userId },
        emptied(resources.now()),
      );
      if (matchedCount === 1) return true;
      return hasRole(reader) ? roleNotifications.delete(reader, id) : false;
    },

    async eraseUser(userId) {
      await collection.deleteMany({ audience: userId, ...nothingToPublish });
      await Promise.all([
        collection.updateMany({ audience: userId }, emptied(resources.now())),
        roleNotifications.eraseReader(userId),
        // These notifications are emptied instead of deleted, because they are part of each reader's count of unread
        // ones.
        collection.updateMany(
          { 'data.tradeAccountId': userId },
          { $set: { body: 'The account was erased, as its owner asked.', data: {} } },
        ),
      ]);
    },
  };
}

/**
 * Returns the update that empties a deleted notification. Its id and the events that are still to be published stay.
 */
function emptied(now: Date) {
  return {
    $set: { keptUntil: new Date(now.getTime() + deletedIdsKeptMs) },
    $unset: { audience: '', unread: '', title: '', body: '', data: '' },
  } as const;
}

function hasRole(reader: Reader): reader is RoleReader {
  return reader.role !== null;
}

/** Compares two notifications in the order of lists. */
function byNewest(one: Notification, other: Notification): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
}
