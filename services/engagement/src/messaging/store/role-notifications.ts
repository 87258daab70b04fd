import { eventRecordDays, type Slice } from '@storefront/contracts';
import { after, collectionOf, type Filter } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { Audience, Notification } from '../domain/notification.ts';
import {
  newestFirst,
  notificationMarks,
  notifications,
  toNotification,
  type NotificationDocument,
  type NotificationMark,
} from './collections.ts';

export interface NotificationFilter {
  readonly status: 'all' | 'unread' | 'read';
  readonly type?: string | undefined;
}

/** A reader whose role has notifications. */
export interface RoleReader {
  readonly userId: string;
  readonly role: Audience;
}

/** Notifications that every user of a role sees, with a read mark for each reader. */
export interface RoleNotifications {
  /** Returns until when a notification is kept that is stored now. */
  keptUntil(): Date;
  /**
   * Lists notifications, newest first. Where there are more than the slice asks for, the result has one more, so that
   * the caller knows that there are more.
   */
  list(reader: RoleReader, filter: NotificationFilter, slice: Slice): Promise<Notification[]>;
  countUnread(reader: RoleReader): Promise<number>;
  since(reader: RoleReader, time: Date): Promise<Notification[]>;
  mark(reader: RoleReader, id: string, readAt: Date | null): Promise<Notification | null>;
  markAllRead(reader: RoleReader, readAt: Date): Promise<number>;
  delete(reader: RoleReader, id: string): Promise<boolean>;
  /** Deletes the reader's marks. */
  eraseReader(userId: string): Promise<void>;
}

// Old notifications are deleted, so that counting stays cheap.
const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;
const batchSize = 50;

export function openRoleNotifications({ database, now }: Resources): RoleNotifications {
  const collection = collectionOf(database, notifications);
  const marks = collectionOf(database, notificationMarks);

  const oldest = () => new Date(now().getTime() - keptMs);
  const markId = (reader: RoleReader, id: string) => `${reader.userId}:${id}`;

  /** Yields the notifications of the query that the reader has not deleted, with the reader's marks, newest first. */
  async function* visible(reader: RoleReader, query: Filter<NotificationDocument>): AsyncIterable<Notification> {
    const cursor = collection
      .find({ ...query, audience: reader.role })
      .sort(newestFirst)
      .batchSize(batchSize);
    for (;;) {
      const documents: NotificationDocument[] = [];
      while (documents.length < batchSize && (await cursor.hasNext()))
        documents.push((await cursor.next()) as NotificationDocument);
      if (documents.length === 0) return;
      const found = await marks.find({ _id: { $in: documents.map(({ _id }) => markId(reader, _id)) } }).toArray();
      const byId = new Map(found.map((mark) => [mark._id, mark]));
      for (const document of documents) {
        const mark = byId.get(markId(reader, document._id));
        if (!mark?.deleted) yield withMark(document, mark);
      }
    }
  }

  async function find(reader: RoleReader, id: string): Promise<Notification | null> {
    const [document, mark] = await Promise.all([
      collection.findOne({ _id: id, audience: reader.role }),
      marks.findOne({ _id: markId(reader, id) }),
    ]);
    return document === null || mark?.deleted ? null : withMark(document, mark);
  }

  async function setMark(
    reader: RoleReader,
    { id, createdAt }: Notification,
    fields: Pick<NotificationMark, 'readAt' | 'deleted' | 'settled'>,
  ): Promise<void> {
    const keptUntil = new Date(createdAt.getTime() + keptMs);
    await marks.updateOne(
      { _id: markId(reader, id) },
      { $set: { ...fields, reader: reader.userId, createdAt, keptUntil } },
      { upsert: true },
    );
  }

  return {
    keptUntil: () => new Date(now().getTime() + keptMs),

    async list(reader, { status, type }, slice) {
      const query = { ...(type === undefined ? {} : { type }), ...after(newestFirst, slice.after) };
      const found: Notification[] = [];
      for await (const notification of visible(reader, query)) {
        if (status === 'all' || (status === 'read') === (notification.readAt !== null)) found.push(notification);
        if (found.length > slice.limit) break;
      }
      return found;
    },

    async countUnread(reader) {
      const createdAt = { $gt: oldest() };
      const [all, settled] = await Promise.all([
        collection.countDocuments({ audience: reader.role, createdAt }),
        marks.countDocuments({ reader: reader.userId, settled: true, createdAt }),
      ]);
      return Math.max(0, all - settled);
    },

    async since(reader, time) {
      const found = await Array.fromAsync(visible(reader, { createdAt: { $gt: time } }));
      return found.toReversed();
    },

    async mark(reader, id, readAt) {
      const notification = await find(reader, id);
      if (notification === null) return null;
      // A notification that is read already keeps the time when it was first read.
      const marked = { ...notification, readAt: readAt === null ? null : (notification.readAt ?? readAt) };
      await setMark(reader, notification, { readAt: marked.readAt, settled: readAt !== null, deleted: false });
      return marked;
    },

    async markAllRead(reader, readAt) {
      let count = 0;
      for await (const notification of visible(reader, { createdAt: { $gt: oldest() } })) {
        if (notification.readAt !== null) continue;
        await setMark(reader, notification, { readAt, settled: true, deleted: false });
        count += 1;
      }
      return count;
    },

    async delete(reader, id) {
      const notification = await find(reader, id);
      if (notification === null) return false;
      await setMark(reader, notification, { readAt: notification.readAt, settled: true, deleted: true });
      return true;
    },

    async eraseReader(userId) {
      await marks.deleteMany({ reader: userId });
    },
  };
}

function withMark(document: NotificationDocument, mark: NotificationMark | null | undefined): Notification {
  return { ...toNotification(document), readAt: mark?.readAt ?? null };
}
