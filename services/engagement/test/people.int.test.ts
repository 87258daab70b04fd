import { newId } from '@storefront/contracts';
import { openCollections, openDatabase, type Database } from '@storefront/mongo';
import { freshDatabase } from '@storefront/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPeople, people } from '../src/analytics/store/people.ts';

const created = freshDatabase('people');
const now = () => new Date();

let database: Database;
beforeAll(async () => {
  database = await openDatabase(created.url, pino({ level: 'silent' }));
  await openCollections(database, [people]);
});
afterAll(async () => {
  await database.close();
  await created.drop();
});

const openInstance = () => openPeople({ database, now }, { secret: 'a secret of the test', months: 25 });
const numbersOf = async (found: Promise<ReadonlyMap<string, number>>) => [...(await found).values()];

it('is the same number of a visitor each time, and none once the visitor is forgotten', async () => {
  const visitor = { anonymousId: 'a visitor' };
  const instance = openInstance();
  const numbers = await numbersOf(instance.add([visitor]));
  expect(numbers).toHaveLength(1);
  expect(await numbersOf(instance.find([visitor]))).toEqual(numbers);
  // Remembered by now, beside one who is not.
  expect(await numbersOf(instance.find([visitor, { anonymousId: 'nobody' }]))).toEqual(numbers);
  await instance.forget([visitor]);
  expect(await numbersOf(instance.find([visitor]))).toEqual([]);
});

it('is no number of a user who was forgotten at another instance', async () => {
  const user = { userId: newId('user') };
  const instance = openInstance();
  const numbers = await numbersOf(instance.add([user]));
  expect(await numbersOf(instance.find([user]))).toEqual(numbers);
  await openInstance().forget([user]);
  expect(await numbersOf(instance.find([user]))).toEqual([]);
});
