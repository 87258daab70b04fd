import { collectionOf } from '@storefront/service-kit';
import type { Database, Position } from '@storefront/service-kit';
import type { Sessions } from '../domain/ports.ts';
import type { Session } from '../domain/session.ts';

type SessionDocument = Omit<Session, 'id'> & { _id: string };

const mostExported = 1000;

export interface SessionList {
  /** Up to `limit + 1` sessions of the user that are alive, newest first. */
  list(
    userId: string,
    ver: number,
    page: { limit: number; after?: Position | undefined; now: Date },
  ): Promise<Session[]>;
  isAlive(id: string, userId: string, ver: number, now: Date): Promise<boolean>;
}

export function createSessions(database: Database): Sessions & SessionList {
  const sessions = sessionsCollection(database);
  const alive = (now: Date) => ({ endedAt: null, expiresAt: { $gt: now } });
  return {
    async add({ id, ...fields }) {
      await sessions.insertOne({ _id: id, ...fields });
    },
    async byFamily(family, now) {
      return toSession(await sessions.findOne({ family, ...alive(now) }));
    },
    async rotate({ id, secret }, next, times) {
      const { matchedCount } = await sessions.updateOne(
        { _id: id, secret, endedAt: null },
        { $set: { secret: next, ...times } },
      );
      return matchedCount === 1;
    },
    async end(id, userId, ver, now) {
      return toSession(await sessions.findOneAndUpdate({ _id: id, userId, ver }, { $set: { endedAt: now } }));
    },
    async remove(id) {
      await sessions.deleteOne({ _id: id });
    },
    async removeBelow(userId, ver) {
      await sessions.deleteMany({ userId, ver: { $lt: ver } });
    },
    async ofUser(userId) {
      const found = await sessions.find({ userId }).sort({ createdAt: -1, _id: -1 }).limit(mostExported).toArray();
      return found.flatMap((document) => toSession(document) ?? []);
    },
    async list(userId, ver, { limit, after, now }) {
      const createdAt = after && new Date(after[0] ?? 0);
      const beyond = after && {
        $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: String(after[1]) } }],
      };
      const found = await sessions
        .find({ userId, ver, ...alive(now), ...beyond } as object)
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit + 1)
        .toArray();
      return found.flatMap((document) => toSession(document) ?? []);
    },
    async isAlive(id, userId, ver, now) {
      return (await sessions.countDocuments({ _id: id, userId, ver, ...alive(now) }, { limit: 1 })) === 1;
    },
  };
}

/** The indexes of every query on sessions; those that ran out go by themselves. */
export async function indexSessions(database: Database): Promise<void> {
  const sessions = sessionsCollection(database);
  await Promise.all([
    sessions.createIndex({ family: 1 }, { name: 'family', unique: true }),
    sessions.createIndex({ userId: 1, createdAt: -1, _id: -1 }, { name: 'user_newest' }),
    sessions.createIndex({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 }),
  ]);
}

function sessionsCollection(database: Database) {
  return collectionOf<SessionDocument>(database, 'sessions');
}

function toSession(document: SessionDocument | null): Session | null {
  if (!document) return null;
  const { _id, ...fields } = document;
  return { id: _id, ...fields };
}
