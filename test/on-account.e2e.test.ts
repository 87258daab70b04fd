import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fact, ordersEvents, toEvent } from '@storefront/contracts';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { clientOf, codeIn, mailTo, type Client } from './client.ts';
import { publishEvent } from './faults/system/publish-event.ts';
import { patient } from './patient.ts';
import { expectOk } from './people.ts';

const password = 'a quiet lake in the morning';
const email = 'toni@on-account.example';
const euros = (amount: number) => ({ amount, currency: 'EUR' });
let vhost: { url: string; drop(): Promise<void> };
let dataDir: string;
let stack: Stack;
let client: Client;
let admin: string;

beforeAll(async () => {
  vhost = await freshVhost('on-account');
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-on-account-'));
  const { logger } = memoryLogger();
  stack = await startStack({
    env: { PORT: '0', ...patient, MONGODB_URL: inject('mongodbUrl'), AMQP_URL: vhost.url },
    dataDir,
    bus: 'rabbitmq',
    empty: true,
    databasePrefix: `on_account_${randomBytes(4).toString('hex')}_`,
    loggerOf: (name) => logger.child({ name }),
  });
  client = clientOf(stack.gateways[0] ?? '');
  admin = expectOk(await client.call('POST', '/v1/auth/login', { body: stack.accounts.admin })).accessToken;
});
afterAll(async () => {
  await stack?.close();
  await vhost.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** An approved trade account that is logged in. */
async function trade(): Promise<{ id: string; token: string }> {
  const named = { email, password, firstName: 'Toni', lastName: 'Trade', phone: '+31 20 123 4567' };
  const body = { ...named, businessName: 'Quay', businessAddress: 'Pier 4, Amsterdam', vatNumber: 'NL123456789B01' };
  const { registrationId } = expectOk(await client.call('POST', '/v1/auth/trade/register', { body }));
  const code = codeIn(await mailTo(stack.mailbox ?? '', email, /code/i));
  await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
  const { data } = expectOk(await client.call('GET', '/v1/trade-accounts', { token: admin }));
  const { id } = data[0];
  expectOk(await client.call('POST', `/v1/trade-accounts/${id}/approve`, { token: admin, body: {} }));
  const { accessToken } = expectOk(await client.call('POST', '/v1/auth/login', { body: { email, password } }));
  return { id, token: accessToken };
}

it('takes an order on account to an invoice by mail, and its payment at the page of the provider to a paid one', async () => {
  const { id: userId, token } = await trade();
  const order = fact(ordersEvents.orderPlaced, 'order-1', {
    orderId: 'order-1',
    userId,
    recipient: { firstName: 'Robin', lastName: 'Reader' },
    placedAt: new Date().toISOString(),
    tier: 'trade',
    paymentTerms: 'invoice',
    reference: 'PO-7781',
    lines: [{ productId: 'none', description: 'Assam, 1 kg', quantity: 3, unitPrice: euros(1099), taxRate: 19 }],
    totals: { subtotal: euros(3297), total: euros(3297) },
  });
  await publishEvent(vhost.url, toEvent(order, { sequence: 1, time: new Date() }));
  const invoice = await eventually(async () => {
    const { data } = expectOk(await client.call('GET', '/v1/invoices', { token }));
    return data[0];
  }, 'the invoice of the order');
  // The buyer is in another country of the EU than the shop, and owes the tax there.
  expect(invoice).toMatchObject({
    status: 'open',
    orderRef: 'order-1',
    reference: 'PO-7781',
    reverseCharge: true,
    total: euros(3297),
    balance: euros(3297),
  });
  const mail = await mailTo(stack.mailbox ?? '', email, new RegExp(invoice.number));
  expect(mail.Text).toContain('32.97');

  const payment = expectOk(await client.call('POST', '/v1/payments', { token, body: { invoiceIds: [invoice.id] } }));
  expect(payment).toMatchObject({ status: 'pending', amount: euros(3297) });
  const page = await fetch(payment.redirectUrl);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('32.97');
  const { origin } = new URL(payment.redirectUrl);
  const paid = await fetch(`${origin}/api/payments/${payment.id}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.payments.demo?.secret}` },
    body: JSON.stringify({ ...euros(3297), twice: true }),
  });
  expect(paid.status).toBe(202);

  await eventually(async () => {
    const { status } = expectOk(await client.call('GET', `/v1/invoices/${invoice.id}`, { token }));
    if (status !== 'paid') throw new Error(`it is ${status}`);
    return true;
  }, 'the invoice to be paid');
  await mailTo(stack.mailbox ?? '', email, new RegExp(`${invoice.number} is paid`));
  const credit = expectOk(await client.call('GET', '/v1/invoices/credit', { token }));
  expect(credit).toMatchObject({ outstanding: euros(0), credit: euros(0) });

  const answer = await fetch(new URL(`/v1/invoices/${invoice.id}/pdf`, stack.gateways[0]), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});
