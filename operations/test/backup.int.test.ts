import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMongod, startMongod, type StartedServer } from '@storefront/backing';
import { fact, identityEvents, newId, toEvent, topology } from '@storefront/contracts';
import { countQueues } from '@storefront/messaging';
import { freshVhost } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokerToFill, openDatabases, restoreBackup, takeBackup } from '../src/index.ts';

type Databases = Awaited<ReturnType<typeof openDatabases>>;

const { Double, Int32, Long, Decimal128 } = mongoose.mongo;
const queue = 'engagement.on-account-security';
const say = () => undefined;
let folder: string;
let vhost: Awaited<ReturnType<typeof freshVhost>>;
let dataDir: string;
// Its own: what other tests write would fill the log of changes, from which a backup takes events.
let mongod: StartedServer;
let from: Databases;
let to: Databases;

beforeAll(async () => {
  vhost = await freshVhost('backup');
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-backup-data-'));
  mongod = await startMongod({ binary: await findMongod(() => undefined), dataDir });
});
afterAll(async () => {
  await vhost.drop();
  await mongod.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-backup-'));
  from = await openDatabases(prefixed('from_'));
  to = await openDatabases(prefixed('to_'));
});
afterEach(async () => {
  for (const databases of [from, to]) {
    for (const service of databases.services) await databases.of(service).dropDatabase();
    await databases.close();
  }
  await rm(folder, { recursive: true });
});

function prefixed(name: string): string {
  const url = new URL(mongod.url);
  url.pathname = `/${name}`;
  return url.href;
}

const passwordChanged = () =>
  toEvent(
    fact(identityEvents.passwordChanged, newId('user'), {
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Byron',
      how: 'change',
    }),
    { sequence: 1, time: new Date() },
  );
const eventMinutes = 60;
const take = () => takeBackup({ databases: from, broker: null, folder, eventMinutes, say });
const restore = (force = false) =>
  restoreBackup({ databases: to, broker: brokerToFill(vhost.url, undefined), folder, force, say });
const users = (databases: Databases) => databases.of('identity').collection<{ _id: string }>('users');
const messagesIn = async (name: string) =>
  (await countQueues({ url: vhost.url, topology })).find((each) => each.queue === name)?.messages;

describe('a backup', () => {
  it('brings back documents, large ones too, kinds of numbers, options and indexes as they were, and no sessions', async () => {
    const validator = { $expr: { $lte: [{ $bsonSize: '$$ROOT' }, 8_000_000] } };
    await from.of('identity').createCollection('users', { validator });
    await users(from).createIndex({ email: 1, _id: -1 }, { unique: true, name: 'email', sparse: true });
    const stored = {
      _id: 'user_1',
      whole: new Int32(5),
      double: new Double(5),
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('1.10'),
      at: new Date(5),
      nothing: null,
      outbox: [],
    };
    await users(from).insertOne(stored);
    await from.of('identity').collection('sessions').insertOne({ secret: 'hash' });
    await from
      .of('billing')
      .collection('series')
      .insertMany(Array.from({ length: 3_000 }, (_, n) => ({ n })));
    const picture = { _id: 'img-1.png', bytes: randomBytes(12_000_000) };
    const files = (databases: Databases) => databases.of('catalog').collection<typeof picture>('picture_files');
    await files(from).insertOne(picture);
    await take();
    await restore();
    expect((await files(to).findOne({}, { promoteBuffers: true }))?.bytes.equals(picture.bytes)).toBe(true);
    const options = { promoteValues: false, promoteBuffers: false };
    expect(await users(to).find({}, options).toArray()).toStrictEqual(await users(from).find({}, options).toArray());
    expect(await users(to).listIndexes().toArray()).toEqual(await users(from).listIndexes().toArray());
    const [{ options: restored } = {}] = await to
      .of('identity')
      .listCollections({ name: 'users' }, { nameOnly: false })
      .toArray();
    expect(restored).toMatchObject({ validator });
    expect(await to.of('billing').collection('series').countDocuments()).toBe(3_000);
    expect(await to.of('identity').listCollections({ name: 'sessions' }).toArray()).toEqual([]);
  });

  it('is of one moment in all databases, however many writes come meanwhile', async () => {
    const [a, b] = [from.of('identity').collection('pairs'), from.of('health').collection('pairs')];
    await a.insertOne({ n: -1 });
    await b.insertOne({ n: -1 });
    // They are read between these two.
    for (let n = 0; n < 40; n += 1) await from.of('account').createCollection(`between_${n}`);
    let isOver = false;
    // Whatever is in `health` has been in `identity` before, which is read long before it.
    const writing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await a.insertOne({ n });
        await b.insertOne({ n });
      }
    })();
    await take().finally(() => (isOver = true));
    await writing;
    await restore();
    const [inA, inB] = await Promise.all([
      to.of('identity').collection('pairs').countDocuments(),
      to.of('health').collection('pairs').countDocuments(),
    ]);
    expect(inA - inB).toBeGreaterThanOrEqual(0);
    expect(inA - inB).toBeLessThanOrEqual(1);
  });

  it('publishes again what was published shortly before, and nothing that was written after its moment', async () => {
    const [inserted, pushed, afterwards] = [passwordChanged(), passwordChanged(), passwordChanged()];
    const outbox = (document: object) => document as never;
    await users(from).insertOne(outbox({ _id: 'user_1', version: 1, outbox: [inserted] }));
    await users(from).updateOne({ _id: 'user_1' }, { $push: outbox({ outbox: pushed }), $set: outbox({ version: 2 }) });
    // The relay takes out what the broker has confirmed.
    await users(from).updateOne({ _id: 'user_1' }, { $pull: outbox({ outbox: { id: inserted.id } }) });
    await users(from).updateOne({ _id: 'user_1' }, { $pull: outbox({ outbox: { id: pushed.id } }) });
    const { events } = await takeBackup({
      databases: from,
      broker: {
        // It is asked before the moment is taken.
        async readDeadLetters() {
          return [];
        },
      },
      folder,
      eventMinutes,
      say: (line) => {
        if (!line.startsWith('Everything is as of')) return;
        void users(from).insertOne(outbox({ _id: 'user_2', version: 1, outbox: [afterwards] }));
      },
    });
    expect(events.documents).toBe(2);
    await restore();
    expect(await messagesIn(queue)).toBe(2);
  });
});

describe('restoring', () => {
  it('writes nothing where a file is damaged, or where documents are there', async () => {
    await users(from).insertOne({ _id: 'user_1' });
    await take();
    const file = join(folder, 'identity.users.bson.zst');
    const content = await readFile(file);
    await writeFile(file, Buffer.from(content.map((byte, at) => (at === content.length - 1 ? byte ^ 1 : byte))));
    await expect(restore(true)).rejects.toThrow('identity.users.bson.zst has another SHA-256');
    await writeFile(file, content);
    await users(to).insertOne({ _id: 'user_2' });
    await expect(restore()).rejects.toThrow('The system is not empty');
    expect(await users(to).find().toArray()).toEqual([{ _id: 'user_2' }]);
    await restore(true);
    expect(await users(to).find().toArray()).toEqual([{ _id: 'user_1' }]);
  });

  it('takes no folder without a manifest, and a backup no folder with files', async () => {
    await expect(restore()).rejects.toThrow('holds no complete backup');
    await writeFile(join(folder, 'file'), '');
    await expect(take()).rejects.toThrow('is not empty');
  });
});
