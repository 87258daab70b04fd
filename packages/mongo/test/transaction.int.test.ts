import { changed, defineEvent, deleted, fact, unchanged, type Event } from '@storefront/contracts';
import { eventually, freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  byId,
  defineCollection,
  inTransaction,
  inTransactionOfNew,
  openCollections,
  openRepository,
  withEvents,
  type RelayOfWrites,
  type Repository,
} from '../src/index.ts';

interface Account {
  readonly id: string;
  readonly balance: number;
}

const definition = defineCollection('accounts', { ...withEvents, balance: z.int() }, { sharding: byId });
const moved = defineEvent('test.moved', 'Some of it went elsewhere.', z.object({ balance: z.int() }));

let place: ReturnType<typeof freshDatabase>;
let connection: mongoose.Connection;
let published: Event[];
let accounts: Repository<Account>;
const collection = () => connection.getClient().db(connection.name).collection<any>('accounts');

beforeEach(async () => {
  place = freshDatabase('transaction');
  connection = await mongoose.createConnection(place.url, { monitorCommands: true }).asPromise();
  published = [];
  const relay: RelayOfWrites = {
    watch() {},
    publish: (_source, _id, events) => published.push(...events),
    leftTombstone() {},
  };
  await openCollections(connection, [definition]);
  accounts = openRepository<Account>(definition, { database: connection, relay, now: () => new Date() });
  for (const id of ['one', 'other']) await accounts.change(id, () => changed({ id, balance: 10 }, []));
});

afterEach(async () => {
  await connection.close();
  await place.drop();
});

/** Moves an amount; `from` is refused when it runs short, which is only found out after `to` was written. */
function transfer(from: string, to: string, amount: number) {
  return inTransaction(connection, async (transaction) => {
    const add = (by: number) => (id: string, current: Account | null) => {
      const balance = (current?.balance ?? 0) + by;
      if (balance < 0) throw new Error('not enough');
      return changed({ id, balance }, [fact(moved, id, { balance })]);
    };
    await accounts.changeAll(transaction, [to], add(amount));
    return accounts.changeAll(transaction, [from], add(-amount));
  });
}

const balances = async () => {
  const documents = await collection().find().sort({ _id: 1 }).toArray();
  return documents.map(({ balance }) => balance as number);
};

describe('several documents in one transaction', () => {
  it('are not tried again once the time is up', async () => {
    const session = connection.getClient().startSession();
    session.startTransaction();
    await collection().updateOne({ _id: 'one' }, { $inc: { balance: 1 } }, { session });
    let underWay = 0;
    const late = inTransaction(
      connection,
      async (transaction) => {
        underWay += 1;
        const write = accounts.changeAll(transaction, ['one'], (id) => changed({ id, balance: 1000 }, []));
        return write.finally(() => (underWay -= 1));
      },
      { limitMs: 300 },
    );
    await expect(late).rejects.toThrow('no answer within 300 ms');
    // The last attempt began in time, and meets the other transaction.
    await eventually(() => underWay === 0, 'the last attempt to end');
    await session.abortTransaction();
    await session.endSession();
    for (let count = 0; count < 10; count += 1) {
      await transfer('one', 'other', 1);
      await transfer('other', 'one', 1);
    }
    expect(await balances()).toEqual([10, 10]);
  });

  it('change together with their events, and answer state and version', async () => {
    const [answer] = await transfer('one', 'other', 4);
    expect(answer).toMatchObject({ result: { id: 'one', balance: 6 }, version: 2 });
    expect(await balances()).toEqual([6, 14]);
    expect(published.map(({ subject, sequence }) => [subject, sequence])).toEqual([
      ['other', 2],
      ['one', 2],
    ]);
    const stored = await collection().find().toArray();
    expect(stored.map(({ outbox }) => outbox.length)).toEqual([1, 1]);
  });

  it('stay as they were when the work throws, and no event is published', async () => {
    await expect(transfer('one', 'other', 11)).rejects.toThrow('not enough');
    expect(await balances()).toEqual([10, 10]);
    expect(published).toEqual([]);
  });

  it('lose nothing when many change the same ones at once, in and outside of transactions', async () => {
    await Promise.all([
      ...Array.from({ length: 10 }, () => transfer('one', 'other', 1)),
      ...Array.from({ length: 10 }, () =>
        accounts.change('other', (current) => changed({ id: 'other', balance: (current?.balance ?? 0) + 1 }, [])),
      ),
    ]);
    expect(await balances()).toEqual([0, 30]);
    expect(published).toHaveLength(20);
    expect(new Set(published.map(({ id }) => id)).size).toBe(20);
  });

  it('are changed by eight transactions at once and no more, however many are wanted', async () => {
    const eight = Promise.withResolvers<void>();
    let [underWay, most] = [0, 0];
    const work = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 8) eight.resolve();
      await eight.promise;
      underWay -= 1;
    };
    await Promise.all(Array.from({ length: 30 }, () => inTransaction(connection, work)));
    expect(most).toBe(8);
  });

  it('are created, left alone and deleted together', async () => {
    await inTransaction(connection, (transaction) =>
      accounts.changeAll(transaction, ['one', 'other', 'third'], (id, current) => {
        if (id === 'one') return deleted([fact(moved, id, { balance: 0 })], undefined);
        return current ? unchanged(undefined) : changed({ id, balance: 1 }, [], undefined);
      }),
    );
    expect(await accounts.load('one')).toBeNull();
    expect(await accounts.load('other')).toMatchObject({ version: 1 });
    expect(await accounts.load('third')).toMatchObject({ state: { balance: 1 }, version: 1 });
    expect(published).toMatchObject([{ subject: 'one', sequence: 2 }]);
  });

  it('are not read again where the transaction has read them, but where a deleted one still has an event', async () => {
    await accounts.change('gone', () => changed({ id: 'gone', balance: 10 }, []));
    await accounts.change('gone', () => deleted([fact(moved, 'gone', { balance: 0 })], undefined));
    const read: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => 'find' in command && read.push(command['filter']._id));
    await inTransaction(connection, async (transaction) => {
      const found = await accounts.readAll(transaction, ['one', 'gone', 'new']);
      expect([...found]).toEqual([
        ['one', { state: { id: 'one', balance: 10 }, version: 1 }],
        ['new', null],
      ]);
      const add = (id: string, current: Account | null) =>
        changed({ id, balance: (current?.balance ?? 0) + 1 }, [fact(moved, id, { balance: 1 })]);
      await accounts.changeAll(transaction, ['one', 'gone', 'new', 'other'], add, found);
    });
    expect(read).toEqual([{ $in: ['one', 'gone', 'new'] }, { $in: ['gone', 'other'] }]);
    expect(await balances()).toEqual([1, 1, 11, 11]);
    expect(published.slice(1).map(({ subject, sequence }) => [subject, sequence])).toEqual([
      ['one', 2],
      ['gone', 3],
      ['new', 1],
      ['other', 2],
    ]);
  });

  it('are refused where one is said to be new and is not', async () => {
    const replace = () =>
      inTransaction(connection, (transaction) =>
        accounts.changeAll(transaction, ['one'], (id) => changed({ id, balance: 0 }, []), [['one', null]]),
      );
    await expect(replace()).rejects.toThrow('duplicate key');
    expect(await balances()).toEqual([10, 10]);
  });
});

describe('a transaction of documents that are taken as new', () => {
  /** Adds one to `one` and five to `id`, which may not exist yet. Returns what each attempt was told about it. */
  async function open(id: string): Promise<boolean[]> {
    const attempts: boolean[] = [];
    await inTransactionOfNew(connection, async (transaction, areNew) => {
      attempts.push(areNew);
      const add = (by: number) => (each: string, current: Account | null) =>
        changed({ id: each, balance: (current?.balance ?? 0) + by }, []);
      await accounts.changeAll(transaction, ['one'], add(1));
      const known = areNew ? new Map([[id, null]]) : await accounts.readAll(transaction, [id]);
      await accounts.changeAll(transaction, [id], add(5), known);
    });
    return attempts;
  }

  it('inserts them without a read', async () => {
    expect(await open('new')).toEqual([true]);
    expect(await balances()).toEqual([5, 11, 10]);
  });

  it('begins again and reads where one exists, and writes nothing twice', async () => {
    expect(await open('other')).toEqual([true, false]);
    expect(await balances()).toEqual([11, 15]);
  });

  it('passes on every other error at once', async () => {
    const attempts: boolean[] = [];
    const failing = inTransactionOfNew(connection, async (_transaction, areNew) => {
      attempts.push(areNew);
      throw new Error('not enough');
    });
    await expect(failing).rejects.toThrow('not enough');
    expect(attempts).toEqual([true]);
  });
});
