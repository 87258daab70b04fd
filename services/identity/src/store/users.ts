import { randomInt } from 'node:crypto';
import { createAggregates } from '@storefront/outbox';
import type { Relay } from '@storefront/outbox';
import { collectionOf } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import { codeRules, hourMs } from '../domain/code.ts';
import type { Users } from '../domain/ports.ts';
import type { User } from '../domain/user.ts';

/** A user as MongoDB keeps it. */
export interface UserDocument extends Omit<User, 'id'> {
  _id: string;
  version: number;
  deletedAt?: Date;
}

// So many that requests at the same time rarely wait for each other, as they don't for one another's users.
const decoyCount = 256;

export function usersCollection(database: Database) {
  return collectionOf<UserDocument>(database, 'users');
}

/** The users, each a document that carries its outbox. */
export function createUsers(
  database: Database,
  { relay, now }: { relay: Pick<Relay, 'watch' | 'nudge'>; now: () => Date },
): Users {
  const collection = usersCollection(database);
  const decoys = collectionOf<{ _id: number; written: Date }>(database, 'decoys');
  return {
    ...createAggregates<User>({ collection, relay, now }),

    async countCodeTry(id, purpose, at) {
      const tried = await collection.findOneAndUpdate(
        {
          _id: id,
          [`codes.${purpose}.attempts`]: { $lt: codeRules.triesPerCode },
          [`codes.${purpose}.expiresAt`]: { $gt: at },
          // The last one that an hour allows, if there were as many, is more than an hour ago.
          [`codeTries.${codeRules.triesPerHour - 1}`]: { $not: { $gt: new Date(at.getTime() - hourMs) } },
        },
        {
          $inc: { [`codes.${purpose}.attempts`]: 1, version: 1 },
          $push: { codeTries: { $each: [at], $position: 0, $slice: codeRules.triesPerHour } },
        },
        { returnDocument: 'after', projection: { outbox: 0 } },
      );
      if (!tried) return null;
      const { _id, version: _version, ...fields } = tried;
      return { id: _id, ...fields };
    },

    async pretendChange() {
      await decoys.updateOne({ _id: randomInt(decoyCount) }, { $set: { written: now() } }, { upsert: true });
    },
  };
}

/** The indexes of every query on users. */
export async function indexUsers(database: Database): Promise<void> {
  const collection = usersCollection(database);
  const trade = { partialFilterExpression: { role: 'trade' } };
  const ever = (field: string) => ({ partialFilterExpression: { [field]: { $gt: new Date(0) } } });
  await Promise.all([
    collection.createIndex({ 'trade.submittedAt': -1, _id: -1 }, { name: 'trade_newest', ...trade }),
    collection.createIndex({ status: 1, 'trade.submittedAt': -1, _id: -1 }, { name: 'trade_by_status', ...trade }),
    collection.createIndex({ tokensRevokedAt: 1 }, { name: 'revoked', ...ever('tokensRevokedAt') }),
    collection.createIndex({ 'endedSessions.until': 1 }, { name: 'sessions_ended', ...ever('endedSessions.until') }),
  ]);
}
