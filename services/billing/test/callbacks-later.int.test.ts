import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountWith } from './accounts.ts';
import { assertBooks } from './assert-books.ts';
import { demoBody, send } from './callbacks.ts';
import { startBilling, type Harness } from './harness.ts';

let billing: Harness;
beforeEach(async () => void (billing = await startBilling()));
afterEach(async () => {
  await assertBooks(billing);
  await billing.close();
});

const amountPaid = async () => (await billing.collection('invoices').findOne({}))?.['amountPaid'] as number;

/** Sends five callbacks, each of 100, for one invoice of 500; all are answered 200. */
async function sendFive(): Promise<void> {
  const { invoices } = await accountWith(billing, [{ total: 500 }]);
  for (const reference of ['tr_1', 'tr_2', 'tr_3', 'tr_4', 'tr_5']) {
    const body = demoBody({ invoiceNumber: invoices[0]?.number, amount: 100, reference });
    expect((await send(billing, body)).status).toBe(200);
  }
}

it('callbacks are taken while the broker takes no event, and worked off once it does', async () => {
  const release = billing.holdPublishing('billing.callback-received');
  await sendFive();
  expect(await amountPaid()).toBe(0);
  expect(await billing.collection('callbacks').countDocuments({ outcome: 'received' })).toBe(5);
  release();
  await eventually(async () => (await amountPaid()) === 500, 'the callbacks to be worked off');
});

it('callbacks whose event never comes are worked off after a minute', async () => {
  const release = billing.holdPublishing('billing.callback-received');
  await sendFive();
  billing.advance(61);
  await eventually(
    async () => (await amountPaid()) === 500,
    'the callbacks to be worked off without their events',
    60_000,
  );
  release();
  await billing.idle();
  expect(await amountPaid()).toBe(500);
});
