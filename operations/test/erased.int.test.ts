import { erasedKeyOf, erasedUsers, openDatabase, openErasedUsers } from '@storefront/mongo';
import { newId } from '@storefront/contracts';
import { freshDatabase, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listErased, openDatabases } from '../src/index.ts';

const place = freshDatabase('erased');
let databases: Awaited<ReturnType<typeof openDatabases>>;
beforeAll(async () => {
  databases = await openDatabases(named(''));
});
afterAll(async () => {
  for (const service of databases.services) await databases.of(service).dropDatabase();
  await databases.close();
});

/** The address of the database of a service. */
function named(service: string): string {
  const url = new URL(place.url);
  url.pathname += `_${service}`;
  return url.href;
}

/** Notes in the database of a service that users were erased at that time. */
async function erase(service: string, time: string, ...userIds: readonly string[]): Promise<void> {
  const database = await openDatabase(named(service), memoryLogger().logger);
  await openErasedUsers({ database, now: () => new Date(time) }).add(userIds);
  await database.close();
}

it('lists each user who was erased since a time once, by what is kept of the id', async () => {
  const [before, ada, grace] = [newId('user'), newId('user'), newId('user')];
  const [monday, tuesday, wednesday] = [-3, -2, -1].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString(),
  );
  await erase('account', monday ?? '', before);
  await erase('account', wednesday ?? '', grace);
  await erase('account', tuesday ?? '', ada);
  await erase('engagement', wednesday ?? '', ada);
  await erase('billing', wednesday ?? '', grace);
  expect(await listErased(databases, new Date(tuesday ?? ''))).toEqual([
    `${erasedKeyOf(ada)} ${tuesday}`,
    `${erasedKeyOf(grace)} ${wednesday}`,
  ]);
  expect(await listErased(databases, new Date(0))).toHaveLength(3);
  expect(await databases.of('account').collection(erasedUsers.name).countDocuments()).toBe(3);
});
