import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@storefront/client';
import { fact, ordersEvents, toEvent } from '@storefront/contracts';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { mailTo } from './client.ts';
import { publishEvent } from './faults/system/publish-event.ts';
import { patient } from './patient.ts';
import { signUpTrade, staffAt } from './people.ts';

const email = 'toni@on-account.example';
const euros = (amount: number) => ({ amount, currency: 'EUR' });
let vhost: { url: string; drop(): Promise<void> };
let dataDir: string;
let stack: Stack;
let mailbox: string;
let toni: Client;

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
  mailbox = stack.mailbox ?? '';
  toni = createClient({ baseUrl: stack.gateways[0] ?? '' });
});
afterAll(async () => {
  await stack?.close();
  await vhost.drop();
  await rm(dataDir, { recursive: true, force: true });
});

it('takes an order on account to an invoice by mail, and its payment at the page of the provider to a paid one', async () => {
  const admin = await staffAt(stack.gateways[0], stack.accounts.admin);
  const named = { email, firstName: 'Toni', lastName: 'Trade', phone: '+31 20 123 4567' };
  const business = { businessName: 'Quay', businessAddress: 'Pier 4, Amsterdam', vatNumber: 'NL123456789B01' };
  const userId = await signUpTrade(toni, mailbox, admin, { ...named, ...business });
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
  const invoice = await eventually(
    async () => (await toni.invoices.listInvoices()).data[0],
    'the invoice of the order',
  );
  // The buyer is in another country of the EU than the shop, and owes the tax there.
  expect(invoice).toMatchObject({
    status: 'open',
    orderRef: 'order-1',
    reference: 'PO-7781',
    reverseCharge: true,
    total: euros(3297),
    balance: euros(3297),
  });
  const mail = await mailTo(mailbox, email, new RegExp(invoice.number));
  expect(mail.Text).toContain('32.97');

  const payment = await toni.payments.createPayment({ body: { invoiceIds: [invoice.id] } });
  expect(payment).toMatchObject({ status: 'pending', amount: euros(3297) });
  const page = await fetch(payment.redirectUrl ?? '');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('32.97');
  const { origin } = new URL(payment.redirectUrl ?? '');
  const paid = await fetch(`${origin}/api/payments/${payment.id}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.payments.demo?.secret}` },
    body: JSON.stringify({ ...euros(3297), twice: true }),
  });
  expect(paid.status).toBe(202);

  await eventually(async () => {
    const { status } = await toni.invoices.getInvoice({ params: { id: invoice.id } });
    if (status !== 'paid') throw new Error(`it is ${status}`);
    return true;
  }, 'the invoice to be paid');
  await mailTo(mailbox, email, new RegExp(`${invoice.number} is paid`));
  expect(await toni.invoices.getOwnCredit()).toMatchObject({ outstanding: euros(0), credit: euros(0) });

  const pdf = await toni.invoices.getInvoicePdf({ params: { id: invoice.id } });
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
});
