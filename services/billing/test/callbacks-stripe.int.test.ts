import { eventually } from '@storefront/testing';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountWith } from './accounts.ts';
import { assertBalancesPublished, assertBooks } from './assert-books.ts';
import { demoBody, send, signed } from './callbacks.ts';
import { admin, startBilling, type Harness } from './harness.ts';
import { arriving, demo, stripe, type Simulated } from './simulated-providers.ts';

let billing: Harness;
const secret = 'whsec_a_secret_of_the_tests';

beforeAll(async () => {
  billing = await startBilling({ settings: { PAYMENT_PROVIDERS: 'demo,stripe', STRIPE_WEBHOOK_SECRETS: secret } });
});
afterEach(async () => {
  await assertBooks(billing);
  await assertBalancesPublished(billing);
});
afterAll(() => billing.close());

/** Sends the bodies at once, in no order, and waits until all are worked off. */
async function sendAll(provider: 'demo' | 'stripe', bodies: readonly string[]): Promise<void> {
  const answers = await Promise.all(
    bodies.map((body) => {
      const headers: Record<string, string> =
        provider === 'stripe' ? { 'stripe-signature': signed(body, billing.now(), secret) } : {};
      return send(billing, body, headers, { provider });
    }),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  await eventually(
    async () => (await billing.collection('callbacks').countDocuments({ outcome: 'received' })) === 0,
    'all callbacks to be worked off',
    120_000,
  );
}

let events = 0;
const event = (type: string, object: object) => {
  events += 1;
  return JSON.stringify({
    id: `evt_stripe_${events}`,
    object: 'event',
    type,
    created: 1_790_000_000 + events,
    data: { object: { currency: 'eur', metadata: {}, ...object } },
  });
};
const succeeded = (id: string, invoiceNumber: string | undefined, amount: number, more: object = {}) =>
  event('payment_intent.succeeded', {
    id,
    amount,
    amount_received: amount,
    metadata: { invoiceNumber, customer: 'Jenny Rosen' },
    ...more,
  });

const invoiceOf = async (total: number) => (await accountWith(billing, [{ total }])).invoices[0];
const invoice = async (id?: string) => await billing.collection('invoices').findOne({ _id: id });
const paymentOf = async (reference: string) =>
  await billing.collection('payments').findOne({ 'receipts.reference': reference });
const entriesOf = async (type: string) => await billing.collection('callbacks').find({ type }).toArray();

describe('one payment at Stripe', () => {
  it('is one payment under two ids of its event, and all of it goes back', async () => {
    const owed = await invoiceOf(514_71);
    await sendAll('stripe', [succeeded('pi_twice', owed?.number, 514_71), succeeded('pi_twice', owed?.number, 514_71)]);
    expect(await paymentOf('pi_twice')).toMatchObject({ received: 514_71, remainder: 0 });
    const refund = { payment_intent: 'pi_twice', amount: 514_71, amount_refunded: 514_71, id: 're_1' };
    await sendAll('stripe', [event('charge.refunded', refund), event('refund.created', refund)]);
    expect(await paymentOf('pi_twice')).toMatchObject({ status: 'refunded', received: 0, refunded: 514_71 });
    expect(await invoice(owed?.id)).toMatchObject({ status: 'open', balance: 514_71 });
    await sendAll('stripe', [event('refund.failed', { ...refund, status: 'failed' })]);
    expect(await paymentOf('pi_twice')).toMatchObject({ status: 'succeeded', received: 514_71, refunded: 0 });
    expect(await invoice(owed?.id)).toMatchObject({ status: 'paid' });
  });

  it('in a currency to which Stripe gives other decimals is the same money', async () => {
    await sendAll('stripe', [succeeded('pi_isk', undefined, 500_000, { currency: 'isk' })]);
    expect(await paymentOf('pi_isk')).toMatchObject({ currency: 'ISK', received: 5000, remainder: 5000 });
  });

  it('of an amount that can not be expressed is published to administrators, and nothing of it is counted', async () => {
    const body = succeeded('pi_part', undefined, 500_001, { currency: 'isk' });
    await sendAll('stripe', [body, succeeded('pi_part', undefined, 500_001, { currency: 'isk' })]);
    const kept = { currency: 'ISK', status: 'unallocated', unallocatedReason: 'indivisible_amount', received: 0 };
    const payments = await billing.collection('payments').find({ unallocatedReason: 'indivisible_amount' }).toArray();
    expect(payments).toMatchObject([{ ...kept, remainder: 0, receipts: [] }]);
    const id = String(payments[0]?._id);
    const entries = await billing.collection('callbacks').find({ paymentId: id }).toArray();
    expect(entries.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['failed', 'indivisible_amount'],
      ['failed', 'indivisible_amount'],
    ]);
    await eventually(() => billing.eventsOf(id, 'billing.payment-unallocated').length === 1, 'the event, once');
    const allocation = { accountId: (await accountWith(billing, [])).owner.id, worth: { amount: 1, currency: 'EUR' } };
    const answer = await billing.call(admin, 'POST', `/v1/payments/${id}/allocate`, allocation);
    expect([answer.status, answer.body.code]).toEqual([409, 'nothing_to_allocate']);
  });
});

describe('one payment at the demo provider', () => {
  it.each(['payment', 'invoice'] as const)('is one, published by %s first and by the other then', async (first) => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const made = await billing.call(owner, 'POST', '/v1/payments', { invoiceIds: invoices.map(({ id }) => id) });
    const stated = { amount: 3000, reference: `tr_by_${first}` };
    const byPayment = demoBody({ ...stated, paymentId: made.body.id });
    const byInvoice = demoBody({ ...stated, invoiceNumber: invoices[0]?.number });
    for (const body of first === 'payment' ? [byPayment, byInvoice] : [byInvoice, byPayment])
      await sendAll('demo', [body]);
    expect(await billing.collection('accounts').findOne({ _id: owner.id as any })).toMatchObject({
      outstanding: 0,
      unused: 0,
    });
    const back = demoBody({ ...stated, type: 'payment.refunded', paymentId: made.body.id });
    await sendAll('demo', [back, demoBody({ ...stated, type: 'payment.refunded' })]);
    expect(await billing.collection('accounts').findOne({ _id: owner.id as any })).toMatchObject({
      outstanding: 3000,
      unused: 0,
    });
  });
});

it('every payment is what its provider says, in whatever order it is published', async () => {
  const providers: ['demo' | 'stripe', fc.Arbitrary<Simulated & { readonly currency?: string }>][] = [
    ['demo', demo],
    ['stripe', stripe],
  ];
  for (const [provider, payments] of providers) {
    const { owner, invoices } = await accountWith(billing, [{ total: 500 }, { total: 700 }]);
    const made = fc.sample(payments, { numRuns: 5, seed: 5 }).map((payment, at) => ({
      ...payment,
      name: `${provider}_${at}`,
    }));
    await sendAll(
      provider,
      made.flatMap(({ name, bodies }, at) => {
        const own = bodies.map((body) =>
          body
            .replaceAll(/"((?:evt|pi|re|dp|dpr|ch_pi)_\d+)"/g, `"$1_${name}"`)
            .replaceAll('"paymentId":"pay_1"', `"invoiceNumber":"${invoices[1]?.number}"`),
        );
        const [arrived = []] = fc.sample(arriving(own), { numRuns: 1, seed: at });
        return arrived.map((body) => body.replace('evt_again', `evt_again_${name}`));
      }),
    );
    const stored = await billing.collection('payments').find({ accountId: owner.id }).toArray();
    for (const { name, truth, currency = 'EUR' } of made) {
      const found = stored.filter(({ receipts }) =>
        (receipts as { reference: string }[]).some(({ reference }) => reference.endsWith(name)),
      );
      const sumOf = (field: string) => found.reduce((sum, payment) => sum + Number(payment[field]), 0);
      expect([name, sumOf('received'), sumOf('refunded')]).toEqual([
        name,
        truth.received,
        truth.refunded + truth.disputed,
      ]);
      expect(found.filter((payment) => payment['currency'] !== currency)).toEqual([]);
    }
  }
}, 300_000);

describe('the body of a callback', () => {
  it('is what is read of it, and expires after 90 days; then it is not done again', async () => {
    const type = 'charge.dispute.closed';
    const dispute = { id: 'dp_1', payment_intent: 'pi_body', amount: 100, status: 'won', evidence: 'Jenny Rosen' };
    await sendAll('stripe', [event(type, dispute)]);
    const [entry] = await entriesOf(type);
    const path = `/v1/payments/callbacks/${String(entry?._id)}`;
    const { body } = (await billing.call(admin, 'GET', path)).body;
    expect(JSON.parse(body)).toMatchObject({ type, data: { object: { id: 'dp_1', amount: 100, status: 'won' } } });
    expect(JSON.stringify(await billing.collection('callbacks').find({}).toArray())).not.toContain('Jenny');
    await billing.call(admin, 'POST', `${path}/replay`);
    await sendAll('stripe', []);

    billing.advance(91 * 24 * 60 * 60);
    const gone = await eventually(
      async () => {
        const answer = await billing.call(admin, 'GET', path);
        return answer.body.body === null ? answer.body : null;
      },
      'the body to expire',
      240_000,
    );
    expect(gone).toMatchObject({ type, eventId: entry?.['eventId'], paymentId: entry?.['paymentId'], replays: 1 });
    const refused = await billing.call(admin, 'POST', `${path}/replay`);
    expect([refused.status, refused.body.code]).toEqual([409, 'callback_expired']);
  }, 300_000);
});
