import { changed, defineEvent, deleted, fact, unchanged } from '@storefront/contracts';
import { freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  byId,
  defineCollection,
  noRelay,
  openCollections,
  openRepository,
  withEvents,
  type Repository,
} from '../src/index.ts';

interface Counter {
  readonly id: string;
  /** The numbers of the changes, in the order in which they were applied. */
  readonly changes: readonly number[];
}

const counters = defineCollection('counters', { ...withEvents, changes: z.array(z.int()) }, { sharding: byId });
const counted = defineEvent('test.counted', 'The counter went up.', z.object({ change: z.int() }));

const place = freshDatabase('turns');
let first: Repository<Counter>;
let second: Repository<Counter>;
const connections: mongoose.Connection[] = [];
let commands: string[] = [];

/** An instance of a service: it has its own connection, and knows nothing of what another instance changes. */
async function openInstance(): Promise<Repository<Counter>> {
  const connection = await mongoose.createConnection(place.url, { monitorCommands: true }).asPromise();
  await openCollections(connection, [counters]);
  connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  const needs = { database: connection, relay: noRelay, now: () => new Date() };
  connections.push(connection);
  return openRepository<Counter>(counters, needs);
}

beforeAll(async () => {
  first = await openInstance();
  second = await openInstance();
});
beforeEach(async () => {
  await first.collection.deleteMany({});
  commands = [];
});
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await place.drop();
});

const sent = (name: string) => commands.filter((command) => command === name).length;
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const sorted = (changes: readonly number[] | undefined) => changes?.toSorted((a, b) => a - b);

const add = (repository: Repository<Counter>, id: string, change: number) =>
  repository.change(id, (current) =>
    changed({ id, changes: [...(current?.changes ?? []), change] }, [fact(counted, id, { change })]),
  );

/** Makes the changes, so many at a time. */
async function atOnce(clients: number, count: number, change: (number: number) => Promise<unknown>): Promise<void> {
  const waiting = numbers(count);
  await Promise.all(
    numbers(clients).map(async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await change(next);
    }),
  );
}

it('16 clients change one document with one write for each change, and few reads', async () => {
  await atOnce(16, 200, (number) => add(first, 'a', number));
  expect(sorted((await first.load('a'))?.state.changes)).toEqual(numbers(200));
  expect({ inserts: sent('insert'), updates: sent('update') }).toEqual({ inserts: 1, updates: 199 });
  expect(sent('find')).toBeLessThan(20);
});

it('changes of other documents go on meanwhile, together', async () => {
  await Promise.all(numbers(100).map((number) => add(first, `a${number % 50}`, number)));
  expect(await first.collection.countDocuments({ version: 2 })).toBe(50);
  expect(sent('insert') + sent('update')).toBeLessThan(20);
});

it('two instances that change one document lose nothing', async () => {
  await Promise.all([
    atOnce(8, 60, (number) => add(first, 'a', number)),
    atOnce(8, 60, (number) => add(second, 'a', 60 + number)),
  ]);
  expect(sorted((await first.load('a'))?.state.changes)).toEqual(numbers(120));
});

it('a decision that refuses or changes nothing is made about the stored document, not about a known state', async () => {
  await add(first, 'a', 1);
  const known = await first.load('a');
  await add(second, 'a', 2);
  const refuse = (current: Counter | null) => {
    throw new Error(`has ${current?.changes.join()}`);
  };
  await expect(first.change('a', refuse, known)).rejects.toThrow('has 1,2');
  expect((await first.change('a', (current) => unchanged(current?.changes), known)).result).toEqual([1, 2]);
});

it('changes that wait and write nothing do not read the document again', async () => {
  await add(first, 'a', 1);
  commands = [];
  const changes = [2, 3].map((number) => add(first, 'a', number));
  const same = numbers(20).map(() => first.change('a', (current) => unchanged(current?.changes)));
  await Promise.all(changes);
  for (const { result } of await Promise.all(same)) expect(result).toEqual([1, 2, 3]);
  expect(sent('find')).toBe(1);
});

it('every change is applied once, whatever happens to the others', async () => {
  const random = (choices: number) => Math.floor(Math.random() * choices);
  const [added, removed]: [number[], number[]] = [[], []];
  await atOnce(16, 300, async (number) => {
    const [repository, id] = [random(2) === 0 ? first : second, `a${random(3)}`];
    const what = random(5);
    if (what === 0) {
      const refused = new Error('refused');
      const refuse = () => {
        throw refused;
      };
      await repository.change(id, refuse).catch((error: unknown) => {
        if (error !== refused) throw error;
      });
    } else if (what === 1) await repository.change(id, () => unchanged(null));
    else if (what === 2) {
      const { result } = await repository.change(id, (current) =>
        current ? deleted([], current.changes) : unchanged([]),
      );
      removed.push(...result);
    } else {
      added.push(number);
      await add(repository, id, number);
    }
  });
  const left = await first.find({});
  expect(sorted([...removed, ...left.flatMap(({ state }) => state.changes)])).toEqual(sorted(added));
});
