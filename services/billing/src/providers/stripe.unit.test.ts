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
const event = (type: string, object: object) => ({ id: 'evt_1', object: 'event', type, data: { object } });
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
const told = { paymentId: 'pay_1', invoiceNumber: 'INV-2026-000001', currency: 'EUR', reference: 'pi_1' };
const nameless = { paymentId: null, invoiceNumber: null, reference: 'pi_1' };

test.each([
  ['payment_intent.succeeded', intent, { ...told, kind: 'succeeded', amount: 1500, isCumulative: false }],
  ['payment_intent.payment_failed', intent, { ...told, kind: 'failed', amount: 2000, isCumulative: false }],
  ['charge.refunded', charge, { ...nameless, kind: 'refunded', amount: 700, currency: 'EUR', isCumulative: true }],
  [
    'charge.dispute.created',
    dispute,
    { ...nameless, kind: 'disputed', amount: 2000, currency: 'USD', isCumulative: false },
  ],
  [
    'charge.dispute.closed',
    { ...dispute, status: 'won' },
    { ...nameless, kind: 'dispute-won', amount: 2000, currency: 'USD', isCumulative: false },
  ],
])('tells by %s what happened to money', (type, object, fact) => {
  const body = Buffer.from(JSON.stringify(event(type, object)));
  expect(provider.translate(body)).toEqual({ kind: 'fact', eventId: 'evt_1', type, fact });
});

test.each([
  ['payment_intent.created', intent],
  ['charge.dispute.closed', { ...dispute, status: 'lost' }],
  ['charge.dispute.created', { ...dispute, status: 'warning_needs_response' }],
  ['constructor', {}],
])('tells nothing new by %s', (type, object) => {
  expect(provider.translate(Buffer.from(JSON.stringify(event(type, object))))).toEqual({
    kind: 'ignored',
    eventId: 'evt_1',
    type,
  });
});

test.each([
  ['an amount that is text', { ...intent, amount_received: '1500' }],
  ['a currency that is none', { ...intent, currency: 'euro' }],
  ['metadata that is no object', { ...intent, metadata: 'pay_1' }],
  ['nothing received', { ...intent, amount_received: 0 }],
])('is malformed with %s', (_what, object) => {
  expect(provider.translate(Buffer.from(JSON.stringify(event('payment_intent.succeeded', object))))).toEqual({
    kind: 'malformed',
  });
});
