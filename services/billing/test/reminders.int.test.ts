import { randomUUID } from 'node:crypto';
import { calendarOf } from '@storefront/calendar';
import { createRelay } from '@storefront/mongo';
import { eventually, memoryLogger } from '@storefront/testing';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { openBooks } from '../src/store/books.ts';
import { runDunning } from '../src/invoices/commands/run-dunning.ts';
import type { Invoice } from '../src/domain/invoice.ts';
import { openInvoiceReads } from '../src/invoices/store/invoice-reads.ts';
import { openStore } from '../src/store/collections.ts';
import { anAccount, anInvoice, stored } from './builders.ts';
import { startBilling, type Harness } from './harness.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const issuedOn = '2026-03-01';

let billing: Harness;
afterEach(() => billing.close());

// Before every step: the service's own job does none, unless a test says otherwise.
const beforeAnyStep = () => new Date(issuedOn);

/** Starts the service with invoices of one account. Its own job takes `databaseNow` for the time. */
async function startWith(
  invoices: readonly Invoice[],
  options: Parameters<typeof startBilling>[0] & { readonly erasedAt?: Date } = {},
) {
  const { erasedAt = null, ...rest } = options;
  billing = await startBilling({ databaseNow: beforeAnyStep, ...rest });
  const outstanding = invoices.reduce((sum, { balance }) => sum + balance, 0);
  const account = anAccount({ outstanding, erasedAt });
  await billing.collection('accounts').insertOne(stored(account));
  if (invoices.length > 0)
    await billing
      .collection('invoices')
      .insertMany(invoices.map((invoice) => stored({ ...invoice, accountId: account.id })));
  return account;
}

/** The command as the job calls it, at a time of the test. */
async function openSteps() {
  const database = billing.connection;
  const { logger } = memoryLogger();
  const store = openStore({ database, relay: createRelay({ bus: billing.bus, logger }), now: billing.now });
  const parts = {
    ...store,
    books: openBooks(store, 'EUR'),
    invoiceReads: openInvoiceReads(store, calendarOf('Europe/Berlin')),
    logger,
  };
  return (now: Date) => runDunning({ ...parts, databaseNow: () => now, mayGoOn: async () => true });
}

const published = (invoice: Invoice) =>
  billing
    .eventsOf(invoice.id)
    .map(({ type, data }) => (type === 'billing.invoice-reminded' ? data.days : type.replace('billing.', '')));
const all = [-3, 0, 'invoice-overdue', 7, 14];

const find = async (invoice: Invoice) => await billing.collection('invoices').findOne({ _id: invoice.id });
const heldBy = async (accountId: string) =>
  (await billing.collection('accounts').findOne({ _id: accountId }))?.overdueInvoices;

describe('reminders, overdue marks and holds', () => {
  it('come by themselves when the service was away for 60 days, each once', async () => {
    const first = anInvoice(issuedOn, 10);
    const second = anInvoice(issuedOn, 0);
    const notDue = anInvoice(issuedOn, 90);
    const start = first.issuedAt.getTime();
    let now = start;
    const account = await startWith([first, second, notDue], { databaseNow: () => new Date(now), instances: 2 });
    now = start + 60 * day;
    await eventually(() => published(first).length === 5, 'the reminders of the invoice');
    await eventually(async () => (await heldBy(account.id)).length === 2, 'the hold of the account');
    await billing.idle();
    expect(published(first)).toEqual(all);
    expect(published(second)).toEqual(all.slice(2));
    expect(published(notDue)).toEqual([]);
    expect(await find(first)).toMatchObject({ status: 'overdue', nextStepAt: null });
    expect(await find(notDue)).toMatchObject({ status: 'open', steps: notDue.steps });
    expect(new Set(await heldBy(account.id))).toEqual(new Set([first.id, second.id]));
    expect(billing.eventsOf(first.id)[0]?.data).toEqual({
      accountId: account.id,
      number: first.number,
      currency: 'EUR',
      total: 3923,
      balance: 3923,
      dueOn: '2026-03-11',
      days: -3,
    });
  });

  it('are the same where the time goes on by six hours', async () => {
    const invoice = anInvoice(issuedOn, 10);
    const account = await startWith([invoice]);
    const steps = await openSteps();
    const pass = async (from: number, to: number) => {
      for (let hours = from; hours <= to; hours += 6) await steps(new Date(invoice.issuedAt.getTime() + hours * hour));
    };
    await pass(0, 40 * 24);
    expect(await heldBy(account.id)).toEqual([]);
    await pass(40 * 24, 60 * 24);
    await eventually(() => published(invoice).length === 5, 'the reminders of the invoice');
    await billing.idle();
    expect(published(invoice)).toEqual(all);
    expect(await heldBy(account.id)).toEqual([invoice.id]);
  });

  it('come once where several do the same work at the same time', async () => {
    const invoices = [anInvoice(issuedOn, 10), anInvoice(issuedOn, 11), anInvoice(issuedOn, 12)];
    const account = await startWith(invoices);
    const now = new Date((invoices[0]?.issuedAt.getTime() ?? 0) + 60 * day);
    const workers = await Promise.all([openSteps(), openSteps(), openSteps()]);
    await Promise.all(workers.map((steps) => steps(now)));
    await eventually(
      () => invoices.every((invoice) => published(invoice).length >= 5),
      'the reminders of the invoices',
    );
    await billing.idle();
    for (const invoice of invoices) expect(published(invoice)).toEqual(all);
    expect(new Set(await heldBy(account.id))).toEqual(new Set(invoices.map(({ id }) => id)));
    expect(await heldBy(account.id)).toHaveLength(3);
  });

  // In `npm run proof -- kills`.
  it.runIf(inject('isProof'))(
    'come once where a process is killed in the middle',
    async () => {
      // Not long enough for a hold: its transaction would stay open for a minute after the process has ended.
      const issued = new Date(Date.now() - 35 * day).toISOString().slice(0, 10);
      const invoices = Array.from({ length: 20 }, () => anInvoice(issued, 10));
      await startWith(invoices, { bus: 'rabbitmq', instances: 0, databaseNow: () => new Date() });
      const child = await billing.process();
      const due = () => billing.collection('invoices').countDocuments({ nextStepAt: { $lte: new Date() } });
      const done = { 'steps.doneAt': { $gt: new Date(0) } };
      await eventually(() => billing.collection('invoices').findOne(done), 'the first step');
      child.kill('SIGKILL');
      expect(await due()).toBeGreaterThan(0);
      await billing.another();
      await eventually(async () => (await due()) === 0, 'the other instance to do the steps that are left', 60_000);
      await billing.idle();
      for (const invoice of invoices) expect(published(invoice)).toEqual(all);
    },
    120_000,
  );

  it('do not come for what was paid, and not to an erased account', async () => {
    const paid = anInvoice(issuedOn, 10, { status: 'paid', balance: 0, nextStepAt: null });
    const owed = anInvoice(issuedOn, 10);
    const account = await startWith([paid, owed], { erasedAt: new Date() });
    const steps = await openSteps();
    await steps(new Date(owed.issuedAt.getTime() + 60 * day));
    await billing.idle();
    expect([...published(paid), ...published(owed)]).toEqual([]);
    expect(await find(paid)).toMatchObject({ status: 'paid', version: 1 });
    expect(await find(owed)).toMatchObject({ status: 'overdue', nextStepAt: null });
    expect(await heldBy(account.id)).toEqual([owed.id]);
  });

  it('of other invoices come where one of them can not be done', async () => {
    const broken = anInvoice(issuedOn, 5);
    const whole = anInvoice(issuedOn, 10);
    await startWith([whole]);
    await billing.collection('invoices').insertOne(stored({ ...broken, accountId: `user_${randomUUID()}` }));
    const steps = await openSteps();
    await steps(new Date(whole.issuedAt.getTime() + 60 * day));
    await eventually(() => published(whole).length === 5, 'the reminders of the other invoice');
    expect(await find(broken)).toMatchObject({ version: 1 });
  });
});
