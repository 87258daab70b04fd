import { noRelay, openCollections, openDatabase, openRepository, type Database } from '@storefront/mongo';
import { freshDatabase, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countTry } from '../src/accounts/store/count-try.ts';
import type { Registration } from '../src/accounts/domain/registration.ts';
import { registrations } from '../src/accounts/store/registrations.ts';

const place = freshDatabase('tries');
let database: Database;
beforeAll(async () => {
  database = await openDatabase(place.url, memoryLogger().logger);
  await openCollections(database, [registrations]);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

it('a try is compared with the code it was counted for, also where another code is sent meanwhile', async () => {
  const now = new Date();
  const repository = openRepository<Registration>(registrations, { database, relay: noRelay, now: () => now });
  const code = (id: string) => ({ id, hash: id, expiresAt: new Date(now.getTime() + 60_000), attempts: 0 });
  await repository.collection.insertOne({ _id: 'reg', version: 1, outbox: [], code: code('first') } as never);
  const flows = {
    ...repository,
    async load(id: string) {
      // The code is sent again right after the try was counted.
      await repository.collection.updateOne({ _id: id }, { $set: { code: code('second') } });
      return repository.load(id);
    },
  };
  expect(await countTry<Registration>(flows, 'reg', now)).toEqual({
    id: 'reg',
    code: { ...code('first'), attempts: 1 },
  });
  for (let count = 2; count <= 5; count += 1)
    expect((await countTry<Registration>(flows, 'reg', now))?.code.attempts).toBe(count);
  expect(await countTry<Registration>(flows, 'reg', now)).toBeNull();
});
