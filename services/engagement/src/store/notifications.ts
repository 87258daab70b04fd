import { collectionOf, isDuplicate } from '@storefront/service-kit';
import type { Parts, Position } from '@storefront/service-kit';
import type { Notification, Reader } from '../domain/notification.ts';
import { byAge, newestFirst, olderThan } from './newest-first.ts';
import { openRoleNotices, toNotification } from './role-notices.ts';
import type { RoleReader, Stored } from './role-notices.ts';

/** What somebody sees: their own notifications, which carry their read mark, and those for their role. */
export interface Notifications {
  /** Writes it unless it is there; whether it was new. */
  insert(notification: Notification): Promise<boolean>;
  /** Newest first. */
  list(
    reader: Reader,
    filter: { status: 'all' | 'unread' | 'read'; type?: string | undefined },
    after: Position | undefined,
    limit: number,
  ): Promise<Notification[]>;
  countUnread(reader: Reader): Promise<number>;
  /** What was created after that time, oldest first. */
  since(reader: Reader, time: Date): Promise<Notification[]>;
  /** Marks it read or unread; null where the reader has no such notification. */
  mark(reader: Reader, id: string, readAt: Date | null): Promise<Notification | null>;
  /** How many were unread. */
  markAll(reader: Reader, readAt: Date): Promise<number>;
  /** Whether the reader had it. */
  delete(reader: Reader, id: string): Promise<boolean>;
  /** The user's own, newest first; at most 10,000. */
  ofUser(userId: string): Promise<Notification[]>;
  /** Removes the user's own, and what notices for a role tell of the user. */
  eraseUser(userId: string): Promise<void>;
}

// A deleted one leaves its id behind for so long, without an audience, so that an event that comes twice does not bring
// it back.
const deletedIdsKeptMs = 7 * 24 * 60 * 60 * 1000;

const mostExported = 10_000;

export async function openNotifications(parts: Parts): Promise<Notifications> {
  const collection = collectionOf<Stored>(parts.database, 'notifications');
  await collection.createIndexes([
    { key: { audience: 1, ...newestFirst } },
    // Counts and lists what is unread without reading anything else.
    { key: { audience: 1, unread: 1, ...newestFirst }, partialFilterExpression: { unread: true } },
    { key: { audience: 1, type: 1, ...newestFirst } },
    { key: { keptUntil: 1 }, expireAfterSeconds: 0 },
    { key: { 'data.tradeAccountId': 1 }, partialFilterExpression: { 'data.tradeAccountId': { $gt: '' } } },
  ]);
  const shared = await openRoleNotices(parts, collection);

  return {
    async insert({ id, ...fields }) {
      const isShared = fields.audience.startsWith('role:');
      const document = { _id: id, ...fields, unread: fields.readAt === null };
      try {
        await collection.insertOne(isShared ? { ...document, keptUntil: shared.keptUntil() } : document);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },

    async list(reader, filter, after, limit) {
      const { status, type } = filter;
      const own = collection
        .find({
          audience: reader.userId,
          ...(type === undefined ? {} : { type }),
          ...(status === 'all' ? {} : { unread: status === 'unread' }),
          ...olderThan(after),
        })
        .sort(newestFirst)
        .limit(limit)
        .toArray();
      if (!hasRole(reader)) return (await own).map(toNotification);
      const [mine, ours] = await Promise.all([own, shared.list(reader, filter, after, limit)]);
      return [...mine.map(toNotification), ...ours].sort(byAge).slice(0, limit);
    },

    async countUnread(reader) {
      const [mine, ours] = await Promise.all([
        collection.countDocuments({ audience: reader.userId, unread: true }),
        hasRole(reader) ? shared.countUnread(reader) : 0,
      ]);
      return mine + ours;
    },

    async since(reader, time) {
      const own = await collection
        .find({ audience: reader.userId, createdAt: { $gt: time } })
        .sort({ createdAt: 1, _id: 1 })
        .toArray();
      const mine = own.map(toNotification);
      if (!hasRole(reader)) return mine;
      return [...mine, ...(await shared.since(reader, time))].sort((one, other) => byAge(other, one));
    },

    async mark(reader, id, readAt) {
      const own = await collection.findOneAndUpdate(
        { _id: id, audience: reader.userId },
        // Read again, it was read when it was read first.
        [{ $set: { readAt: readAt === null ? null : { $ifNull: ['$readAt', readAt] }, unread: readAt === null } }],
        { returnDocument: 'after' },
      );
      if (own) return toNotification(own);
      return hasRole(reader) ? shared.mark(reader, id, readAt) : null;
    },

    async markAll(reader, readAt) {
      const [mine, ours] = await Promise.all([
        collection.updateMany({ audience: reader.userId, unread: true }, { $set: { readAt, unread: false } }),
        hasRole(reader) ? shared.markAll(reader, readAt) : 0,
      ]);
      return mine.modifiedCount + ours;
    },

    async delete(reader, id) {
      const { matchedCount } = await collection.updateOne(
        { _id: id, audience: reader.userId },
        {
          $set: { keptUntil: new Date(parts.now().getTime() + deletedIdsKeptMs) },
          $unset: { audience: '', unread: '', title: '', body: '', data: '' },
        },
      );
      if (matchedCount === 1) return true;
      return hasRole(reader) ? shared.delete(reader, id) : false;
    },

    async ofUser(userId) {
      const found = await collection.find({ audience: userId }).sort(newestFirst).limit(mostExported).toArray();
      return found.map(toNotification);
    },

    async eraseUser(userId) {
      await Promise.all([
        collection.deleteMany({ audience: userId }),
        shared.eraseReader(userId),
        // Emptied, not removed: each reader's count of what is unread counts it.
        collection.updateMany(
          { 'data.tradeAccountId': userId },
          { $set: { body: 'The applicant asked for everything about them to be erased.', data: {} } },
        ),
      ]);
    },
  };
}

function hasRole(reader: Reader): reader is RoleReader {
  return reader.role !== null;
}
