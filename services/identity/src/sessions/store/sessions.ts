import type { PageOf, Slice } from '@storefront/contracts';
import {
  batch,
  collectionOf,
  defineCollection,
  readPage,
  readUpToDate,
  withId,
  type Database,
} from '@storefront/mongo';
import type { CallerSession, Proof } from '../../domain/caller.ts';
import { storedSession, type Rotation, type Session } from '../domain/session.ts';

export const sessions = defineCollection('sessions', storedSession.shape, {
  sharding: {
    key: { family: 'hashed' },
    acrossShards: [
      { by: ['userId'], because: 'a user lists or ends sessions, now and then' },
      { by: ['_id'], because: 'a user ends a session or proves again who it is' },
    ],
  },
  indexes: {
    family: { keys: { family: 1 }, unique: true },
    user_newest: { keys: { userId: 1, createdAt: -1, _id: -1 } },
    expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
  },
});

/** The living sessions of a user. */
interface SessionsInUse {
  readonly count: number;
  readonly lastUsedAt: Date;
}

/** The sessions. Living ones have neither ended nor expired. `ver` is the user's token version. */
export interface SessionStore {
  add(session: Session): Promise<void>;
  /** The living session whose refresh token has this family. */
  findByFamily(family: string, now: Date): Promise<Session | null>;
  /**
   * Resolves once reads show everything that was acknowledged before the call. Throws an error for which
   * `isDatabaseAway` is true where that takes longer than two seconds.
   */
  catchUp(): Promise<void>;
  /**
   * Replaces the secret of the family's session if it still is `secret`. Of several calls with one secret, only one
   * returns true.
   */
  replaceSecret(
    family: string,
    secret: string,
    next: Pick<Session, 'secret' | 'lastUsedAt' | 'expiresAt' | 'rotation' | 'inCookie'>,
  ): Promise<boolean>;
  /**
   * Deletes the stored pair of tokens of this exchange, before the pair is returned once more. Of several calls, only
   * one returns true.
   */
  useRotation(family: string, rotation: Rotation): Promise<boolean>;
  /**
   * Marks a session of that user and version as ended; its refresh tokens are then refused. Returns false if there is
   * no such session.
   */
  markEnded(id: string, userId: string, ver: number, now: Date): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Removes the user's sessions of versions below `ver`, whose tokens are revoked already. */
  removeBelow(userId: string, ver: number): Promise<void>;
  /** The ids of the user's oldest sessions beyond the newest `most`; at most 10 at a time. */
  beyond(userId: string, most: number): Promise<string[]>;
  /** All sessions of the user, living or not, newest first. */
  all(userId: string, slice: Slice): Promise<PageOf<Session>>;
  /** The living sessions of the user, newest first. */
  page(userId: string, ver: number, slice: Slice, now: Date): Promise<PageOf<Session>>;
  /** The caller's session; null where it has ended. */
  find(caller: CallerSession, now: Date): Promise<Session | null>;
  /** Records what the caller's session has just proved. */
  prove(caller: Pick<CallerSession, 'sub' | 'sid'>, proof: Partial<Proof>): Promise<void>;
  /** For each user with living sessions of version `ver`: how many sessions, and when one of them was last used. */
  inUse(
    users: readonly { readonly id: string; readonly ver: number }[],
    now: Date,
  ): Promise<ReadonlyMap<string, SessionsInUse>>;
  isAlive(id: string, userId: string, ver: number, now: Date): Promise<boolean>;
}

const catchUpMs = 2000;
const newestFirst = { createdAt: -1, _id: -1 } as const;
const atOnce = 10;

export function openSessionStore(database: Database): SessionStore {
  const collection = collectionOf(database, sessions);
  const alive = (now: Date) => ({ endedAt: null, expiresAt: { $gt: now } });
  // The primary answers an up-to-date read, of any document, once a majority has stored an entry that it writes for it.
  // From then on it shows all that was stored before to others too. Simultaneous calls share one read.
  const catchUp = batch<undefined, void>({
    concurrency: 2,
    async work(calls) {
      await readUpToDate(catchUpMs, (upToDate) => collection.findOne({ family: '' }, upToDate));
      return calls.map(() => undefined);
    },
  });
  return {
    async add({ id, ...fields }) {
      await collection.insertOne({ _id: id, ...fields });
    },
    async findByFamily(family, now) {
      const found = await collection.findOne({ family, ...alive(now) });
      return found && withId(found);
    },
    catchUp: () => catchUp(undefined),
    async replaceSecret(family, secret, next) {
      const { matchedCount } = await collection.updateOne({ family, secret, endedAt: null }, { $set: next });
      return matchedCount === 1;
    },
    async useRotation(family, { from }) {
      const { matchedCount } = await collection.updateOne(
        { family, 'rotation.from': from, endedAt: null },
        { $set: { rotation: null } },
      );
      return matchedCount === 1;
    },
    async markEnded(id, userId, ver, now) {
      const { matchedCount } = await collection.updateOne({ _id: id, userId, ver }, { $set: { endedAt: now } });
      return matchedCount === 1;
    },
    async remove(id) {
      await collection.deleteOne({ _id: id });
    },
    async removeBelow(userId, ver) {
      await collection.deleteMany({ userId, ver: { $lt: ver } });
    },
    async beyond(userId, most) {
      const options = { projection: { _id: 1 }, hint: 'user_newest' };
      const found = await collection.find({ userId }, options).sort(newestFirst).skip(most).limit(atOnce).toArray();
      return found.map(({ _id }) => _id);
    },
    all: (userId, slice) => readPage(collection, { filter: { userId }, order: newestFirst, slice }, withId),
    page: (userId, ver, slice, now) =>
      readPage(collection, { filter: { userId, ver, ...alive(now) }, order: newestFirst, slice }, withId),
    async find({ sub, sid, ver }, now) {
      const found = await collection.findOne({ _id: sid, userId: sub, ver, ...alive(now) });
      return found && withId(found);
    },
    async prove({ sub, sid }, proof) {
      await collection.updateOne({ _id: sid, userId: sub }, { $set: proof });
    },
    async inUse(of, now) {
      const filter = { userId: { $in: of.map(({ id }) => id) }, ...alive(now) };
      const options = { projection: { userId: 1, ver: 1, lastUsedAt: 1 }, hint: 'user_newest' };
      const found = await collection.find(filter, options).toArray();
      return new Map(
        of.flatMap(({ id, ver }) => {
          const used = found.filter((session) => session.userId === id && session.ver === ver);
          const times = used.map(({ lastUsedAt }) => lastUsedAt.getTime());
          return used.length === 0 ? [] : [[id, { count: used.length, lastUsedAt: new Date(Math.max(...times)) }]];
        }),
      );
    },
    async isAlive(id, userId, ver, now) {
      const options = { limit: 1, readConcern: { level: 'majority' } } as const;
      return (await collection.countDocuments({ _id: id, userId, ver, ...alive(now) }, options)) === 1;
    },
  };
}
