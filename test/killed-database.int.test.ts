import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findMongod, startMongod, type StartedServer } from '@storefront/backing';
import { checkStoredDocuments, openDatabase, type Database } from '@storefront/mongo';
import { pino } from 'pino';
import { principal } from '@storefront/testing';
import { dataRequests } from '../packages/user-data/src/index.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertBooks } from '../services/billing/test/assert-books.ts';
import { anAccount, stored } from '../services/billing/test/builders.ts';
import { admin, startBilling } from '../services/billing/test/harness.ts';
import { collections as billingCollections } from '../services/billing/src/service.ts';
import { definitions, startEngagement, type Engagement } from '../services/engagement/test/engagement.ts';
import { addCampaign, amountOff, assertSums, costing } from '../services/engagement/test/offers.ts';

let folder: string;
let mongod: StartedServer;
let database: Database;
let service: Engagement;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-database-'));
  mongod = await startMongod({ binary: await findMongod(() => undefined), dataDir: folder });
  const url = new URL(mongod.url);
  url.pathname = '/redemptions';
  database = await openDatabase(url.href, pino({ level: 'silent' }));
  const engagement = await startEngagement({ instances: 2, settings: { MONGODB_URL: url.href } });
  const collection = (name: string) => database.getClient().db(database.name).collection<any>(name);
  service = { ...engagement, connection: database, collection };
});
afterAll(async () => {
  await service.close();
  await database.close(true);
  await mongod.close();
  await rm(folder, { recursive: true });
});

const deadline = () => Date.now() + 120_000;

/** Asks for the same order until it is known whether it was redeemed, as clients do. */
async function redeemSurely(index: number): Promise<number> {
  const body = { orderRef: `order-${index}`, lines: costing(1000), codes: ['KILLED'] };
  for (const end = deadline(); Date.now() < end; await wait(100)) {
    const answer = await service
      .request(service.people.admin, 'POST', '/v1/discounts/redemptions', body, {}, index % 2)
      .catch(() => null);
    if (answer && answer.status < 500) return answer.status;
  }
  throw new Error(`order-${index} was not answered in time`);
}

it('limits are exact, and usage is the sum, where the database is killed while 600 redeem at once', async () => {
  const campaign = await addCampaign(service, {
    discount: amountOff(100),
    limits: { budget: 9050 },
    codes: { KILLED: 100 },
  });
  const isRedeemed = async () => {
    const usage = await service.collection('campaign_usage').findOne({ _id: campaign });
    return (usage?.redemptions ?? 0) > 0;
  };
  const answers = Array.from({ length: 600 }, (_, index) => redeemSurely(index));
  for (const end = deadline(); !(await isRedeemed()) && Date.now() < end;);
  process.kill(mongod.pid, 'SIGKILL');
  await mongod.restart();

  const statuses = await Promise.all(answers);
  // Some were redeemed by an attempt that was not answered: they get 200.
  expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(90);
  expect(statuses.filter((status) => status === 422)).toHaveLength(510);
  expect(await service.collection('campaign_usage').findOne({ _id: campaign })).toMatchObject({
    redemptions: 90,
    amount: 9000,
  });
  await assertSums(service);
  expect(await checkStoredDocuments(database, definitions)).toEqual([]);
});

it('numbers have no gap and no double, and nothing is issued twice, where the database is killed while 500 invoices are issued', async () => {
  const url = new URL(mongod.url);
  url.pathname = '/invoices';
  const billing = await startBilling({ instances: 2, bus: 'in-process', settings: { MONGODB_URL: url.href } });
  const connection = await openDatabase(url.href, pino({ level: 'silent' }));
  const collection = (name: string) => connection.getClient().db(connection.name).collection<any>(name);
  try {
    const accounts = Array.from({ length: 5 }, () => anAccount());
    await collection('accounts').insertMany(accounts.map(stored));
    const issueSurely = async (index: number): Promise<string> => {
      const body = {
        accountId: accounts[index % 5]?.id,
        lines: [{ description: 'Tea', quantity: 1, unitPrice: { amount: 100 + index, currency: 'EUR' }, taxRate: 19 }],
      };
      const key = { 'idempotency-key': `invoice-${index}` };
      for (const end = deadline(); Date.now() < end; await wait(100)) {
        const answer = await billing.instances[index % 2]
          ?.call(principal(admin.role, admin.id), 'POST', '/v1/invoices', body, key)
          .catch(() => null);
        if (answer?.status === 201) return answer.body.number;
        if (answer && answer.status < 500 && answer.status !== 409) throw new Error(JSON.stringify(answer.body));
      }
      throw new Error(`invoice ${index} was not answered in time`);
    };
    const answers = Array.from({ length: 500 }, (_, index) => issueSurely(index));
    for (const end = deadline(); (await collection('invoices').countDocuments()) < 100 && Date.now() < end;);
    process.kill(mongod.pid, 'SIGKILL');
    await mongod.restart();

    const numbers = (await Promise.all(answers)).toSorted();
    expect(numbers.map((number) => Number(number.slice(9)))).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
    expect(await collection('invoices').countDocuments()).toBe(500);
    await assertBooks({ connection, collection });
    expect(await checkStoredDocuments(connection, [...billingCollections, dataRequests])).toEqual([]);
  } finally {
    await billing.close();
    await connection.close(true);
  }
});
