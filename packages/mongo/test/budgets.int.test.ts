import { hash } from 'node:crypto';
import { eventually, freshDatabase, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  collectionOf,
  defineBudgets,
  openBudgets,
  openCollections,
  openDatabase,
  type Database,
} from '../src/index.ts';

const place = freshDatabase('budgets');
const definition = defineBudgets('tries');
const windowMs = 60 * 60 * 1000;
// Not of the past, of which MongoDB deletes the counts.
const began = Math.ceil(Date.now() / windowMs) * windowMs;
const after = (seconds: number) => new Date(began + seconds * 1000);
let database: Database;

beforeAll(async () => {
  database = await openDatabase(place.url, memoryLogger().logger);
  await openCollections(database, [definition]);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

it('counts each of many calls at once, of several instances, by another number', async () => {
  const open = () => openBudgets(database, definition, { windowMs });
  const [one, other] = [open(), open()];
  const spent = await Promise.all(
    Array.from({ length: 30 }, (_, index) => [one, other].map((each) => each.spend('many', after(index)))).flat(),
  );
  const counts = spent.map(({ count }) => count).toSorted((a, b) => a - b);
  expect(counts).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});

it('sends one command for the calls that come while another one is counted', async () => {
  const counted: unknown[] = [];
  const heard = await openDatabase(place.url, memoryLogger().logger, ({ name, body }) => {
    if (name === 'findAndModify') counted.push(body['query']);
  });
  onTestFinished(() => heard.close());
  const budgets = openBudgets(heard, definition, { windowMs });
  const names = [...Array<string>(30).fill('busy'), 'calm'];
  const spent = Promise.all(names.map((name) => budgets.spend(name, after(0))));
  await eventually(() => counted.length > 0, 'the first command');
  const later = budgets.spend('busy', after(1));
  expect((await spent).map(({ count }) => count)).toEqual([...Array.from({ length: 30 }, (_, index) => index + 1), 1]);
  expect((await later).count).toBe(31);
  expect(counted).toEqual(['busy', 'calm', 'busy'].map((name) => ({ _id: `${name}/${began / windowMs}` })));
});

it('begins anew with each window and for each name', async () => {
  const budgets = openBudgets(database, definition, { windowMs });
  expect(await budgets.spend('ada', after(0))).toEqual({ count: 1, secondsLeft: 3600 });
  expect(await budgets.spend('ada', after(3599.5))).toEqual({ count: 2, secondsLeft: 1 });
  expect(await budgets.spend('grace', after(3599.5))).toEqual({ count: 1, secondsLeft: 1 });
  expect(await budgets.spend('ada', after(3600))).toEqual({ count: 1, secondsLeft: 3600 });
});

it('stores names as it is told to, for a window longer than they count', async () => {
  const stored = collectionOf(database, definition);
  await stored.deleteMany({});
  const budgets = openBudgets(database, definition, { windowMs, idOf: (name) => hash('sha256', name, 'hex') });
  for (const at of [0, 10]) await budgets.spend('ada@example.com', after(at));
  const _id = hash('sha256', `ada@example.com/${began / windowMs}`, 'hex');
  expect(await stored.find().toArray()).toEqual([{ _id, count: 2, expiresAt: after(2 * 3600) }]);
});
