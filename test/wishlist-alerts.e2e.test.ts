import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshDatabase, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOf, codeIn, mailTo, type Client } from './client.ts';
import { patient } from './patient.ts';
import { expectOk } from './people.ts';

const password = 'a quiet lake in the morning';
const euros = (amount: number) => ({ amount, currency: 'EUR' });
let dataDir: string;
let stack: Stack;
let client: Client;
let admin: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-alerts-'));
  const { logger } = memoryLogger();
  stack = await startStack({
    env: { PORT: '0', ...patient, MONGODB_URL: freshDatabase('alerts').url },
    dataDir,
    bus: 'in-process',
    empty: true,
    loggerOf: (name) => logger.child({ name }),
  });
  client = clientOf(stack.gateways[0] ?? '');
  admin = expectOk(await client.call('POST', '/v1/auth/login', { body: stack.accounts.admin })).accessToken;
});
afterAll(async () => {
  await stack?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Enters the code of the registration, and returns the answer. */
async function prove({ registrationId }: { registrationId: string }, email: string) {
  const code = codeIn(await mailTo(stack.mailbox ?? '', email, /code/i));
  return client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
}

async function retail(): Promise<{ email: string; token: string }> {
  const email = 'robin@alerts.example';
  const body = { email, password, firstName: 'Robin', lastName: 'Retail' };
  const registered = expectOk(await client.call('POST', '/v1/auth/register', { body }));
  return { email, token: expectOk(await prove(registered, email)).accessToken };
}

async function trade(): Promise<{ email: string; token: string }> {
  const email = 'toni@alerts.example';
  const named = { email, password, firstName: 'Toni', lastName: 'Trade', phone: '+31 20 123 4567' };
  const body = { ...named, businessName: 'Quay', businessAddress: 'Pier 4, Amsterdam, Netherlands' };
  const applied = expectOk(await client.call('POST', '/v1/auth/trade/register', { body }));
  expect(expectOk(await prove(applied, email)).status).toBe('pending-approval');
  const { data } = expectOk(await client.call('GET', '/v1/trade-accounts', { token: admin }));
  expectOk(await client.call('POST', `/v1/trade-accounts/${data[0].id}/approve`, { token: admin, body: {} }));
  const loggedIn = await client.call('POST', '/v1/auth/login', { body: { email, password } });
  return { email, token: expectOk(loggedIn).accessToken };
}

async function mug(): Promise<string> {
  const body = { sku: 'MUG-1', name: 'Blue mug', price: euros(1999), tradePrice: euros(1500), stock: 5 };
  return expectOk(await client.call('POST', '/v1/products', { token: admin, body: { ...body, status: 'active' } })).id;
}

it('notifies everybody who wishes for a product of its lower price, each in the prices they pay', async () => {
  const [robin, toni, productId] = [await retail(), await trade(), await mug()];
  for (const { token } of [robin, toni]) {
    await eventually(async () => {
      const { status } = await client.call('POST', '/v1/wishlist/items', { token, body: { productId } });
      return status === 201;
    }, 'account to know the product');
  }
  const prices = { price: euros(1499), tradePrice: euros(1250) };
  expectOk(await client.call('PATCH', `/v1/products/${productId}`, { token: admin, body: prices }));

  const wanted = [
    [robin, euros(1999), euros(1499), 'Blue mug from your wishlist now costs €14.99; before it was €19.99.'],
    [toni, euros(1500), euros(1250), 'Blue mug from your wishlist now costs €12.50; before it was €15.00.'],
  ] as const;
  for (const [{ email, token }, was, now, body] of wanted) {
    const notified = await eventually(async () => {
      const { data } = (await client.call('GET', '/v1/notifications?type=price-drop', { token })).body;
      return data.length > 0 ? data : null;
    }, `the notification of ${email}`);
    expect(notified).toMatchObject([{ type: 'price-drop', body, data: { productId, was, now } }]);
    expect((await mailTo(stack.mailbox ?? '', email, /costs less/)).Text).toContain(body);
  }
});
