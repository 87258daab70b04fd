import { changed, deleted, unchanged } from '@storefront/contracts';
import { freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { byId, defineCollection, inTransaction, openCollections, openRepository, versioned } from '../src/index.ts';

interface Counter {
  readonly id: string;
  readonly count: number;
}

const counters = defineCollection('counters', { ...versioned, count: z.int() }, { sharding: byId });
const place = freshDatabase('remembered-writes');
let connection: mongoose.Connection;
const commands: string[] = [];

beforeAll(async () => {
  connection = await mongoose.createConnection(place.url, { monitorCommands: true }).asPromise();
  await openCollections(connection, [counters]);
  connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
});
afterAll(async () => {
  await connection.close();
  await place.drop();
});

const open = () => openRepository<Counter>(counters, { database: connection }, { remembersWrites: true });
type Counters = ReturnType<typeof open>;

/** Two instances: what one writes, the other does not know. */
let own: Counters;
let other: Counters;
let turn = 0;
let id = '';
beforeEach(async () => {
  [own, other] = [open(), open()];
  id = `counter-${(turn += 1)}`;
  await add(own);
  commands.length = 0;
});

const plusOne = (current: Counter | null) => {
  const count = (current?.count ?? 0) + 1;
  return changed({ id, count }, [], count);
};
const add = async (counted: Counters) => (await counted.change(id, plusOne)).result;
const addInTransaction = (counted: Counters) =>
  inTransaction(connection, async (transaction) => {
    const [added] = await counted.changeAll(transaction, [id], (_id, current) => plusOne(current));
    return added?.result;
  });

describe.each([
  ['a change', add],
  ['a change in a transaction', addInTransaction],
] as const)('%s', (_what, change) => {
  it('begins with what this process has written, without a read', async () => {
    expect([await change(own), await change(own), await change(own)]).toEqual([2, 3, 4]);
    expect(commands).not.toContain('find');
    expect(await own.load(id)).toEqual({ state: { id, count: 4 }, version: 4 });
  });

  it('begins anew where another process has written meanwhile', async () => {
    await add(other);
    expect(await change(own)).toBe(3);
    expect(await change(own)).toBe(4);
    expect(await own.load(id)).toEqual({ state: { id, count: 4 }, version: 4 });
  });
});

it('a decision that writes nothing, or refuses, is about what is stored', async () => {
  await add(other);
  const look = (current: Counter | null) => unchanged(current?.count);
  expect((await own.change(id, look)).result).toBe(2);
  const refuse = (current: Counter | null) => {
    throw new Error(`there are ${current?.count}`);
  };
  await expect(own.change(id, refuse)).rejects.toThrow('there are 2');
  await inTransaction(connection, async (transaction) => {
    const [looked] = await own.changeAll(transaction, [id], (_id, current) => look(current));
    expect(looked?.result).toBe(2);
    await expect(own.changeAll(transaction, [id], (_id, current) => refuse(current))).rejects.toThrow('there are 2');
  });
});

it('a transaction that is not committed leaves nothing to remember', async () => {
  const failing = inTransaction(connection, async (transaction) => {
    await own.changeAll(transaction, [id], (_id, current) => plusOne(current));
    throw new Error('not now');
  });
  await expect(failing).rejects.toThrow('not now');
  expect(await own.latest(id)).toEqual({ state: { id, count: 1 }, version: 1 });
  expect(await add(own)).toBe(2);
});

it('the latest state is what this process has written, and is read where it has written nothing', async () => {
  expect(await own.latest(id)).toEqual({ state: { id, count: 1 }, version: 1 });
  expect(commands).toEqual([]);
  expect(await other.latest(id)).toEqual({ state: { id, count: 1 }, version: 1 });
  expect(commands).toEqual(['find']);
  await own.change(id, () => deleted([], null));
  expect(await own.latest(id)).toBeNull();
});
