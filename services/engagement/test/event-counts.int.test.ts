import { collectionOf, openCollections, openDatabase, type Database } from '@storefront/mongo';
import { freshDatabase } from '@storefront/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventCounts, openEventCounts } from '../src/analytics/store/event-counts.ts';

const created = freshDatabase('event-counts');
// Not of the past, of which MongoDB deletes the counts; and of one day, also around midnight.
const begun = new Date();
const now = () => begun;
const perDay = 1000;

let database: Database;
beforeAll(async () => {
  database = await openDatabase(created.url, pino({ level: 'silent' }));
  await openCollections(database, [eventCounts]);
});
afterAll(async () => {
  await database.close();
  await created.drop();
});

const openInstance = () =>
  openEventCounts({ database, now }, { secret: 'a secret of the test', perDay, textsPerDay: 50 });
// They are written without waiting for a majority.
const counted = async () => {
  const found = collectionOf(database, eventCounts).find({}, { readConcern: 'local' });
  return (await found.toArray()).map(({ count }) => count);
};

it('lets in as many as are left of a day, in whatever parts they are sent', async () => {
  const instance = openInstance();
  let admitted = 0;
  for (const events of Array.from({ length: 200 }, (_, at) => 1 + (at % 13)))
    admitted += await instance.admit({ anonymousId: 'in parts' }, '192.0.2.1', events);
  expect(admitted).toBe(perDay);
});

it('never lets in more at several instances, and those lose a hundredth of a day each at most', async () => {
  const instances = [openInstance(), openInstance()];
  let admitted = 0;
  for (let at = 0; at < 400; at += 1) {
    const answers = instances.map((each) => each.admit({ anonymousId: 'at two' }, '192.0.2.2', 2));
    admitted += (await Promise.all(answers)).reduce((sum, one) => sum + one, 0);
  }
  expect(admitted).toBeLessThanOrEqual(perDay);
  expect(admitted).toBeGreaterThanOrEqual(perDay - perDay / 100);
});

it('takes none ahead of who sends once, and twice as many each time of who goes on', async () => {
  await collectionOf(database, eventCounts).deleteMany({});
  const instance = openInstance();
  const sent = () => instance.admit({ anonymousId: 'goes on' }, '192.0.2.3', 1);
  await sent();
  expect(await counted()).toEqual([1, 1]);
  await sent();
  expect(await counted()).toEqual([3, 3]);
  await sent();
  expect(await counted()).toEqual([3, 3]);
  await sent();
  expect(await counted()).toEqual([6, 6]);
});

it('lets an address bring as many texts a day as it may, whoever is behind it', async () => {
  const instance = openInstance();
  expect(await instance.admitTexts('192.0.2.9', 30)).toBe(30);
  expect(await instance.admitTexts('192.0.2.9', 30)).toBe(20);
  expect(await instance.admitTexts('192.0.2.9', 1)).toBe(0);
  expect(await instance.admitTexts('192.0.2.10', 1)).toBe(1);
});
