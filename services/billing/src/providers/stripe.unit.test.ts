import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { stripeProvider } from './stripe.ts';

const stripe = new Stripe('sk_test_none');
const secret = 'whsec_test_secret_of_stripe';
const now = new Date('2026-11-21T12:00:00.000Z');
const provider = stripeProvider({ secrets: ['whsec_of_before_the_rotation', secret] });

/** The header that Stripe's own library makes. */
const header = (payload: string, options: { timestamp?: number; secret?: string; scheme?: string } = {}) =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: now.getTime() / 1000, ...options });
const verify = (payload: string, signature: string) =>
  provider.verify({ 'stripe-signature': signature }, Buffer.from(payload), now);
const payload = JSON.stringify({ id: 'evt_test_webhook', object: 'event' }, null, 2);

test('takes what Stripe has signed, by either secret, and nothing else', () => {
  expect(verify(payload, header(payload))).toBe('ok');
  expect(verify(payload, header(payload, { secret: 'whsec_of_before_the_rotation' }))).toBe('ok');
  expect(verify(payload, header(payload, { secret: 'whsec_of_somebody_else' }))).toBe('bad_signature');
  expect(verify(`${payload} `, header(payload))).toBe('bad_signature');
  expect(verify(payload, header(payload, { scheme: 'v0' }))).toBe('bad_signature');
  expect(provider.verify({}, Buffer.from(payload), now)).toBe('bad_signature');
});

test('has a header of which one signature is right, beside others', () => {
  const [time, right] = header(payload).split(',');
  expect(verify(payload, `${time},v1=bad_signature,v1=${'0'.repeat(64)},${right},v0=${'0'.repeat(64)}`)).toBe('ok');
  expect(verify(payload, `${right}`)).toBe('bad_signature');
  expect(verify(payload, `${time}`)).toBe('bad_signature');
  expect(verify(payload, `t=abc,${right}`)).toBe('bad_signature');
  expect(verify(payload, `${time},t=1,${right}`)).toBe('bad_signature');
  // Whatever time was signed.
  const ofNoTime = createHmac('sha256', secret).update(`abc.${payload}`).digest('hex');
  expect(verify(payload, `t=abc,v1=${ofNoTime}`)).toBe('bad_signature');
});

test.each([
  [300, 'ok'],
  [-300, 'ok'],
  [301, 'stale'],
  [-301, 'stale'],
])('which was signed %i s from now, is %s', (seconds, verdict) => {
  expect(verify(payload, header(payload, { timestamp: now.getTime() / 1000 + seconds }))).toBe(verdict);
});

// As Stripe publishes its events, without the fields that nobody reads here.
const created = 1_790_000_100;
const event = (type: string, object: object) => ({ id: 'evt_1', object: 'event', type, created, data: { object } });
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 2000,
  amount_received: 1500,
  currency: 'eur',
  metadata: { paymentId: 'pay_1', invoiceNumber: 'INV-2026-000001' },
};
const charge = {
  id: 'ch_1',
  object: 'charge',
  amount: 2000,
  amount_refunded: 700,
  currency: 'eur',
  metadata: {},
  payment_intent: 'pi_1',
};
const dispute = {
  id: 'dp_1',
  object: 'dispute',
  amount: 2000,
  charge: 'ch_1',
  currency: 'usd',
  metadata: {},
  payment_intent: 'pi_1',
  status: 'needs_response',
};
const refund = {
  id: 're_1',
  object: 'refund',
  amount: 300,
  charge: 'ch_1',
  created: 1_790_000_000,
  currency: 'eur',
  metadata: {},
  payment_intent: 'pi_1',
  status: 'succeeded',
};
const published = { paymentId: 'pay_1', invoiceNumber: 'INV-2026-000001', currency: 'EUR', reference: 'pi_1' };
const nameless = { paymentId: null, invoiceNumber: null, currency: 'EUR', reference: 'pi_1' };
const disputed = { ...nameless, kind: 'disputed', id: 'dp_1', amount: 2000, currency: 'USD', statedAt: created };

const translate = (body: object) => provider.translate(provider.keep(Buffer.from(JSON.stringify(body))));

test.each([
  ['payment_intent.succeeded', intent, { ...published, kind: 'captured', amount: 1500 }],
  ['payment_intent.payment_failed', intent, { ...published, kind: 'failed' }],
  ['charge.refunded', charge, { ...nameless, kind: 'refunded-in-all', amount: 700, statedAt: created }],
  ...['refund.created', 'refund.updated', 'charge.refund.updated'].map((type): [string, object, object] => [
    type,
    refund,
    { ...nameless, kind: 'refunded', id: 're_1', amount: 300, createdAt: 1_790_000_000, failedAt: null },
  ]),
  ...['failed', 'canceled'].map((status): [string, object, object] => [
    'refund.failed',
    { ...refund, status },
    { ...nameless, kind: 'refunded', id: 're_1', amount: 300, createdAt: 1_790_000_000, failedAt: created },
  ]),
  ['charge.dispute.created', dispute, { ...disputed, isTaken: true, isClosed: false }],
  ['charge.dispute.closed', { ...dispute, status: 'lost' }, { ...disputed, isTaken: true, isClosed: true }],
  ['charge.dispute.closed', { ...dispute, status: 'won' }, { ...disputed, isTaken: false, isClosed: true }],
])('states by %s what there is of money', (type, object, fact) => {
  expect(translate(event(type, object))).toEqual({ kind: 'fact', eventId: 'evt_1', type, fact });
});

test.each([
  ['payment_intent.created', intent],
  ['charge.dispute.created', { ...dispute, status: 'warning_needs_response' }],
  ['charge.refunded', { ...charge, payment_intent: null }],
  ['constructor', {}],
])('states nothing by %s', (type, object) => {
  expect(translate(event(type, object))).toEqual({ kind: 'ignored', eventId: 'evt_1', type });
});

test.each([
  ['an amount that is text', { ...intent, amount_received: '1500' }],
  ['a currency that is none', { ...intent, currency: 'euro' }],
  ['metadata that is no object', { ...intent, metadata: 'pay_1' }],
  ['metadata that is a list', { ...intent, metadata: [] }],
  ['an operator for a payment', { ...intent, metadata: { paymentId: { $ne: null } } }],
  ['a name that is too long', { ...intent, id: 'x'.repeat(1000) }],
  ['nothing received', { ...intent, amount_received: 0 }],
])('is malformed with %s', (_what, object) => {
  expect(translate(event('payment_intent.succeeded', object))).toEqual({ kind: 'malformed' });
});

// https://docs.stripe.com/currencies
test.each([
  ['eur', 514_71, 514_71],
  ['jpy', 500, 500],
  ['huf', 10_45, 10_45],
  ['twd', 8_00, 8_00],
  ['isk', 500_000, 5000],
  ['ugx', 500, 5],
  ['mga', 500, 500_00],
  ['kwd', 5_120, 5_120],
  ['krw', 500, 500],
])('an amount in %s has the decimals that Stripe gives it', (currency, given, amount) => {
  const found = translate(event('payment_intent.succeeded', { ...intent, currency, amount_received: given }));
  expect(found).toMatchObject({ fact: { kind: 'captured', currency: currency.toUpperCase(), amount } });
});

test('an amount that is no whole number of minor units is not rounded', () => {
  const found = translate(event('payment_intent.succeeded', { ...intent, currency: 'isk', amount_received: 5001 }));
  expect(found).toMatchObject({ fact: { kind: 'indivisible', currency: 'ISK', reference: 'pi_1' } });
});

test('keeps of a body what it reads, and nobody by name', () => {
  const billing = { email: 'jenny@example.com', name: 'Jenny Rosen', address: { city: 'Berlin' } };
  const body = event('charge.refunded', {
    ...charge,
    billing_details: billing,
    metadata: { ...billing, paymentId: 'pay_1' },
  });
  const kept = provider.keep(Buffer.from(JSON.stringify(body)));
  expect(JSON.parse(kept ?? '')).toEqual({
    id: 'evt_1',
    type: 'charge.refunded',
    created,
    data: {
      object: {
        id: 'ch_1',
        amount: 2000,
        amount_refunded: 700,
        currency: 'eur',
        metadata: { paymentId: 'pay_1' },
        payment_intent: 'pi_1',
      },
    },
  });
  expect(provider.keep(Buffer.from('no JSON'))).toBeNull();
});
