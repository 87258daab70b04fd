import { collectionOf } from '@storefront/service-kit';
import type { Parts, Position } from '@storefront/service-kit';
import type mongoose from 'mongoose';
import type { Audience, Notification } from '../domain/notification.ts';
import { newestFirst, olderThan } from './newest-first.ts';

/** As all notifications are stored; those for a role are kept for a while only. */
export type Stored = Omit<Notification, 'id'> & { _id: string; unread: boolean; keptUntil?: Date };

/** What one reader did with a notification that is for their role. */
interface Mark {
  /** `<reader>:<notification>`. */
  _id: string;
  reader: string;
  /** Read or deleted: either way no longer unread. */
  settled: boolean;
  deleted: boolean;
  readAt: Date | null;
  /** The notification's own time. */
  createdAt: Date;
  keptUntil: Date;
}

/** Somebody who has a role. */
export interface RoleReader {
  readonly userId: string;
  readonly role: Audience;
}

export interface RoleNotices {
  /** When a notice that is written now may go. */
  keptUntil(): Date;
  list(
    reader: RoleReader,
    filter: { status: 'all' | 'unread' | 'read'; type?: string | undefined },
    after: Position | undefined,
    limit: number,
  ): Promise<Notification[]>;
  countUnread(reader: RoleReader): Promise<number>;
  since(reader: RoleReader, time: Date): Promise<Notification[]>;
  mark(reader: RoleReader, id: string, readAt: Date | null): Promise<Notification | null>;
  markAll(reader: RoleReader, readAt: Date): Promise<number>;
  delete(reader: RoleReader, id: string): Promise<boolean>;
  /** Forgets what the reader did. */
  eraseReader(userId: string): Promise<void>;
}

// What concerns a whole role is news, not an archive; so counting it stays cheap.
const keptMs = 90 * 24 * 60 * 60 * 1000;
const chunk = 50;

/** Notifications that everybody of a role sees, with read marks of each reader's own. */
export async function openRoleNotices(
  { database, now }: Parts,
  collection: mongoose.mongo.Collection<Stored>,
): Promise<RoleNotices> {
  const marks = collectionOf<Mark>(database, 'notification_marks');
  await marks.createIndexes([
    { key: { reader: 1, settled: 1, createdAt: 1 } },
    { key: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ]);

  const oldest = () => new Date(now().getTime() - keptMs);
  const markId = (reader: RoleReader, id: string) => `${reader.userId}:${id}`;

  /** Those of the query that the reader has not deleted, as the reader sees them. */
  async function* seen(reader: RoleReader, query: mongoose.mongo.Filter<Stored>): AsyncIterable<Notification> {
    const cursor = collection
      .find({ ...query, audience: reader.role })
      .sort(newestFirst)
      .batchSize(chunk);
    for (;;) {
      const documents: Stored[] = [];
      while (documents.length < chunk && (await cursor.hasNext())) documents.push((await cursor.next()) as Stored);
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
    change: Pick<Mark, 'readAt' | 'deleted' | 'settled'>,
  ): Promise<void> {
    const keptUntil = new Date(createdAt.getTime() + keptMs);
    await marks.updateOne(
      { _id: markId(reader, id) },
      { $set: { ...change, reader: reader.userId, createdAt, keptUntil } },
      { upsert: true },
    );
  }

  return {
    keptUntil: () => new Date(now().getTime() + keptMs),

    async list(reader, { status, type }, after, limit) {
      const found: Notification[] = [];
      for await (const notice of seen(reader, { ...(type === undefined ? {} : { type }), ...olderThan(after) })) {
        if (status === 'all' || (status === 'read') === (notice.readAt !== null)) found.push(notice);
        if (found.length === limit) break;
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
      const found: Notification[] = [];
      for await (const notice of seen(reader, { createdAt: { $gt: time } })) found.push(notice);
      return found.toReversed();
    },

    async mark(reader, id, readAt) {
      const notice = await find(reader, id);
      if (notice === null) return null;
      // Read again, it was read when it was read first.
      const marked = { ...notice, readAt: readAt === null ? null : (notice.readAt ?? readAt) };
      await setMark(reader, notice, { readAt: marked.readAt, settled: readAt !== null, deleted: false });
      return marked;
    },

    async markAll(reader, readAt) {
      let count = 0;
      for await (const notice of seen(reader, { createdAt: { $gt: oldest() } })) {
        if (notice.readAt !== null) continue;
        await setMark(reader, notice, { readAt, settled: true, deleted: false });
        count += 1;
      }
      return count;
    },

    async delete(reader, id) {
      const notice = await find(reader, id);
      if (notice === null) return false;
      await setMark(reader, notice, { readAt: notice.readAt, settled: true, deleted: true });
      return true;
    },

    async eraseReader(userId) {
      await marks.deleteMany({ reader: userId });
    },
  };
}

function withMark(document: Stored, mark: Mark | null | undefined): Notification {
  return { ...toNotification(document), readAt: mark?.readAt ?? null };
}

export function toNotification({ _id, unread: _unread, keptUntil: _keptUntil, ...fields }: Stored): Notification {
  return { id: _id, ...fields };
}
