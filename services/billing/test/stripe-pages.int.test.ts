import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stripePages } from '../src/providers/stripe-pages.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly key: string | undefined;
}

const page = {
  paymentId: 'pay_1',
  orderId: 'ord_1',
  amount: 4281,
  currency: 'EUR',
  returnUrl: 'https://shop.example/done?order=ord_1&payment=pay_1',
  reference: null,
};
const refund = { id: 'rfnd_1', paymentId: 'pay_1', reference: 'pi_1', amount: 2000, currency: 'EUR' };
const made = { id: 're_1', object: 'refund', amount: 2000, created: 1_700_000_000, status: 'succeeded' };

/** Stands in for Stripe's API: it records what is requested, and answers what the test says. */
let seen: Seen[];
let answers: Record<string, [status: number, body: object]>;
let close: () => Promise<void>;
let pages: ReturnType<typeof stripePages>;

beforeEach(async () => {
  seen = [];
  answers = {};
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const [method, path] = [request.method ?? '', request.url ?? ''];
      const isOurs = request.headers.authorization === 'Bearer sk_test_1';
      const key = request.headers['idempotency-key'];
      seen.push({ method, path, form: Object.fromEntries(new URLSearchParams(body)), key: key?.toString() });
      const [status, answer] = isOurs ? (answers[`${method} ${path}`] ?? [500, {}]) : [401, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pages = stripePages({ apiKey: 'sk_test_1', url });
  close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
});
afterEach(() => close());

const failed = (status: number, error: object): [number, object] => [
  status,
  { error: { type: 'invalid_request_error', ...error } },
];
const opened = 'POST /v1/checkout/sessions';
const listed = 'GET /v1/refunds?limit=100&payment_intent=pi_1';

describe('a page of Stripe', () => {
  it('is a Checkout Session under the id of the payment, which its callbacks name', async () => {
    answers[opened] = [
      200,
      { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.com/c/1', status: 'open' },
    ];
    expect(await pages.open(page)).toEqual({
      kind: 'opened',
      redirectUrl: 'https://checkout.stripe.com/c/1',
      reference: 'cs_1',
    });
    expect(seen).toEqual([
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        key: 'pay_1',
        form: {
          mode: 'payment',
          client_reference_id: 'ord_1',
          success_url: page.returnUrl,
          cancel_url: page.returnUrl,
          'line_items[0][quantity]': '1',
          'line_items[0][price_data][currency]': 'eur',
          'line_items[0][price_data][unit_amount]': '4281',
          'line_items[0][price_data][product_data][name]': 'ord_1',
          'payment_intent_data[metadata][paymentId]': 'pay_1',
        },
      },
    ]);
  });

  it('is refused by what Stripe calls it, and where Stripe has no such amount or nothing to lead back to', async () => {
    answers[opened] = failed(400, { code: 'amount_too_small' });
    expect(await pages.open(page)).toEqual({ kind: 'refused', reason: 'amount_too_small' });
    // ISO 4217 gives ISK no decimals, Stripe two: 4281 ISK are 428100.
    await pages.open({ ...page, currency: 'ISK' });
    expect(seen.at(-1)?.form['line_items[0][price_data][unit_amount]']).toBe('428100');
    expect(await pages.open({ ...page, returnUrl: null })).toEqual({ kind: 'refused', reason: 'return_url_required' });
  });

  it.each([401, 409, 429, 500])('is requested again after %i', async (status) => {
    answers[opened] = failed(status, {});
    await expect(pages.open(page)).rejects.toThrow(`Stripe answered ${status}`);
  });

  it('is closed by its id, also where that was never answered', async () => {
    answers[opened] = [200, { id: 'cs_1', url: 'https://checkout.stripe.com/c/1', status: 'open' }];
    answers['POST /v1/checkout/sessions/cs_1/expire'] = [200, { id: 'cs_1', status: 'expired' }];
    expect(await pages.close({ ...page, reference: 'cs_1' })).toEqual({ kind: 'closed' });
    expect(await pages.close(page)).toEqual({ kind: 'closed' });
    expect(seen.map(({ path, key }) => [path, key])).toEqual([
      ['/v1/checkout/sessions/cs_1/expire', undefined],
      ['/v1/checkout/sessions', 'pay_1'],
      ['/v1/checkout/sessions/cs_1/expire', undefined],
    ]);
  });

  it('is closed where it was paid or has expired, and is not where it is still open', async () => {
    answers['POST /v1/checkout/sessions/cs_1/expire'] = failed(400, {});
    for (const status of ['complete', 'expired']) {
      answers['GET /v1/checkout/sessions/cs_1'] = [200, { id: 'cs_1', status }];
      expect(await pages.close({ ...page, reference: 'cs_1' })).toEqual({ kind: 'closed' });
    }
    answers['GET /v1/checkout/sessions/cs_1'] = [200, { id: 'cs_1', status: 'open' }];
    await expect(pages.close({ ...page, reference: 'cs_1' })).rejects.toThrow('cs_1 is not closed');
  });
});

describe('a refund of Stripe', () => {
  const stated = { id: 're_1', amount: 2000, createdAt: 1_700_000_000, failedAt: null };

  it('is made under its id, after it was looked for', async () => {
    answers[listed] = [200, { data: [{ ...made, id: 're_0', metadata: { refundId: 'rfnd_0' } }] }];
    answers['POST /v1/refunds'] = [200, { ...made, status: 'pending' }];
    expect(await pages.refund(refund)).toEqual({ kind: 'refunded', refund: stated });
    expect(seen.at(-1)).toMatchObject({
      key: 'rfnd_1',
      form: { payment_intent: 'pi_1', amount: '2000', 'metadata[refundId]': 'rfnd_1' },
    });
    answers[listed] = [200, { data: [{ ...made, metadata: { refundId: 'rfnd_1' } }] }];
    expect(await pages.refund(refund)).toEqual({ kind: 'refunded', refund: stated });
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  it('that failed at once has failed, and one that is refused is told why', async () => {
    answers[listed] = [200, { data: [] }];
    answers['POST /v1/refunds'] = [200, { ...made, status: 'failed' }];
    expect(await pages.refund(refund)).toEqual({ kind: 'refunded', refund: { ...stated, failedAt: stated.createdAt } });
    answers['POST /v1/refunds'] = failed(400, { code: 'charge_already_refunded' });
    expect(await pages.refund(refund)).toEqual({ kind: 'refused', reason: 'charge_already_refunded' });
  });
});
