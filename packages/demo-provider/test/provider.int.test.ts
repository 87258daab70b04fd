import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signDemoCallback, startDemoProvider, type DemoProviderOptions } from '@storefront/demo-provider';
import { eventually } from '@storefront/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isSigned, startReceiver } from './receiver.ts';

const secret = 'a-secret-of-this-test-of-32-characters';
const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** A provider and a shop that receives its callbacks. */
async function open(options: Partial<DemoProviderOptions> = {}) {
  const shop = await startReceiver();
  const say = vi.fn<(line: string) => void>();
  const provider = await startDemoProvider({
    secret,
    callbackUrl: shop.url,
    shopName: 'Tea & Sons',
    say,
    ...options,
  });
  onTestFinished(async () => {
    await provider.close();
    await shop.close();
  });
  return { shop, say, provider, ...clientOf(provider.url) };
}

function clientOf(url: string) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  return {
    api: async (path: string, body: string, changed: Record<string, string> = {}) =>
      fetch(`${url}/api/${path}`, { method: 'POST', headers: { ...headers, ...changed }, body }),
    listed: async (paymentId?: string) => {
      const query = paymentId === undefined ? '' : `?payment=${paymentId}`;
      const answer = await fetch(`${url}/api/callbacks${query}`, { headers });
      return ((await answer.json()) as { callbacks: { state: string; attempts: object[] }[] }).callbacks;
    },
    open: async (link: string) => fetch(url + link),
    click: async (link: string, form: Record<string, string>) =>
      fetch(url + link, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }),
  };
}

/** The address of a payment's page, as a shop makes it. */
function linkOf(paymentId: string, amount = 12_000, purpose = 'INV-2026-000123,INV-2026-000124', back = ''): string {
  const query = new URLSearchParams({ amount: String(amount), currency: 'EUR', for: purpose });
  if (back !== '') query.set('return', back);
  const path = `/pay/${paymentId}?${query.toString()}`;
  return `${path}&t=${createHmac('sha256', secret).update(path).digest('hex')}`;
}

interface Callback {
  id: string;
  type: string;
  createdAt: string;
  data: { paymentId?: string; invoiceNumber?: string; amount: object; providerReference: string };
}
const parsed = ({ body }: { body: string }) => JSON.parse(body) as Callback;

async function freshFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'storefront-payments-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('the page of a payment', () => {
  it('says what is to be paid and what for, and runs no script but its own', async () => {
    const { open: openPage } = await open();
    const answer = await openPage(linkOf('pay_1'));
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const page = await answer.text();
    for (const text of ['Tea &#38; Sons', '120.00 EUR', 'INV-2026-000123, INV-2026-000124', 'pay_1'])
      expect(page).toContain(text);
    for (const [, file = ''] of page.matchAll(/(?:src|href)="(\/[a-z.]+)"/g))
      expect((await openPage(file)).status).toBe(200);
  });

  it.each([
    ['another sum', (link: string) => link.replace('amount=12000', 'amount=100')],
    ['another currency', (link: string) => link.replace('currency=EUR', 'currency=JPY')],
    ['another purpose', (link: string) => link.replace('000124', '000125')],
    ['another payment', (link: string) => link.replace('pay_1', 'pay_2')],
    ['another signature', (link: string) => link.replace(/t=\w+/, 't=00')],
    ['no signature', (link: string) => link.replace(/&t=\w+/, '')],
  ])('is not there for an address with %s, and nothing is paid', async (_what, alter) => {
    const { open: openPage, click, listed } = await open();
    const link = alter(linkOf('pay_1'));
    expect((await openPage(link)).status).toBe(403);
    expect((await click(link, { action: 'pay' })).status).toBe(403);
    expect(await listed()).toEqual([]);
  });

  it('pays, refunds a part and disputes the rest, and shows what the shop answered', async () => {
    const { shop, open: openPage, click, listed } = await open();
    const link = linkOf('pay_1');
    const paid = await click(link, { action: 'pay' });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `${link}#callbacks`]);
    await eventually(() => shop.received.length === 1, 'the callback of the payment');
    const [succeeded] = shop.received.map(parsed);
    expect(succeeded).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'payment.succeeded',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { paymentId: 'pay_1', amount: euros(12_000), providerReference: expect.stringMatching(/^dpr_/) },
    });
    expect(shop.received.every((each) => isSigned(each, secret))).toBe(true);

    const reference = succeeded?.data.providerReference ?? '';
    expect((await click(link, { action: 'refund', reference, amount: '20.00' })).status).toBe(303);
    expect((await click(link, { action: 'dispute', reference, amount: '100' })).status).toBe(303);
    await eventually(() => shop.received.length === 3, 'the callbacks of refund and dispute');
    expect(shop.received.slice(1).map(parsed)).toMatchObject([
      { type: 'payment.refunded', data: { amount: euros(2000), providerReference: reference } },
      { type: 'payment.disputed', data: { amount: euros(10_000), providerReference: reference } },
    ]);
    const tooMuch = await click(link, { action: 'refund', reference, amount: '0.01' });
    expect(tooMuch.status).toBe(422);
    expect(await tooMuch.text()).toContain('There is nothing that could go back.');
    await eventually(async () => (await listed()).every(({ state }) => state === 'delivered'), 'all to be delivered');
    for (const path of [link, '/']) {
      const page = await (await openPage(path)).text();
      expect(page.match(/answered 200/g)).toHaveLength(3);
    }
  });

  it('pays a part, fails, and pays twice', async () => {
    const { shop, click } = await open();
    const link = linkOf('pay_1');
    const wrong = await click(link, { action: 'part', amount: '12,50' });
    expect([wrong.status, (await wrong.text()).includes('as a number, such as 12 or 12.50')]).toEqual([422, true]);
    expect((await click(link, { action: 'fail' })).status).toBe(303);
    expect((await click(link, { action: 'part', amount: '12.50' })).status).toBe(303);
    expect((await click(link, { action: 'pay-twice' })).status).toBe(303);
    await eventually(() => shop.received.length === 4, 'four callbacks');
    const callbacks = shop.received.map(parsed);
    expect(callbacks.map(({ type, data }) => [type, data.amount])).toEqual([
      ['payment.failed', euros(12_000)],
      ['payment.succeeded', euros(1250)],
      ['payment.succeeded', euros(12_000)],
      ['payment.succeeded', euros(12_000)],
    ]);
    expect(new Set(callbacks.map(({ id }) => id)).size).toBe(4);
    expect(new Set(callbacks.map(({ data }) => data.providerReference)).size).toBe(4);
    const times = callbacks.map(({ createdAt }) => createdAt);
    expect([times, new Set(times).size]).toEqual([times.toSorted(), 4]);
  });

  it('delivers each callback twice, and out of order, when it is requested', async () => {
    const { shop, click, listed } = await open();
    const link = linkOf('pay_1');
    await click(link, { action: 'pay', twice: 'yes', outOfOrder: 'yes' });
    expect((await listed('pay_1')).map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    await click(link, { action: 'fail' });
    await eventually(() => shop.received.length === 3, 'three callbacks');
    const [first, second, third] = shop.received.map(parsed);
    expect([first?.type, second?.type]).toEqual(['payment.failed', 'payment.succeeded']);
    expect(third).toEqual(second);
    expect((first?.createdAt ?? '') > (second?.createdAt ?? '')).toBe(true);
  });
});

describe('what the shop requests', () => {
  async function request(url: string, path: string, body: object, signature?: string) {
    const text = JSON.stringify(body);
    const response = await fetch(`${url}/shop/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'payment-signature': signature ?? signDemoCallback(secret, text, new Date()),
      },
      body: text,
    });
    return { status: response.status, body: (await response.json()) as any };
  }

  it('leads back to the shop, and closes the page', async () => {
    const { provider, open: openPage, click } = await open();
    const back = 'https://shop.example/checkout?order=ord_1&payment=pay_1';
    const link = linkOf('pay_1', 12_000, 'ord_1', back);
    const page = await openPage(link);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example;");
    expect(await page.text()).toContain('href="https://shop.example/checkout?order=ord_1&#38;payment=pay_1"');
    expect((await openPage(link.replace('shop.example', 'evil.example'))).status).toBe(403);
    expect((await click(link, { action: 'pay' })).headers.get('location')).toBe(back);
    expect((await request(provider.url, 'close', { paymentId: 'pay_1' })).status).toBe(200);
    const refused = await click(link, { action: 'pay' });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('closed this payment')]);
    expect(await (await openPage(link)).text()).not.toContain('value="pay"');
  });

  it('refunds once under an id, and says what was refunded under it', async () => {
    const { shop, provider, click } = await open();
    await click(linkOf('pay_1'), { action: 'pay' });
    await eventually(() => shop.received.length === 1, 'the callback of the payment');
    const [paid] = shop.received.map(parsed);
    const refund = { id: 'rfnd_1', reference: paid?.data.providerReference, amount: euros(2000) };
    const find = async () => (await request(provider.url, 'refunds/find', { paymentId: 'pay_1', id: 'rfnd_1' })).body;
    expect(await find()).toEqual({ refund: null });
    for (let again = 0; again < 2; again += 1)
      expect(await request(provider.url, 'refunds', { paymentId: 'pay_1', ...refund })).toEqual({
        status: 200,
        body: { refund },
      });
    expect(await find()).toEqual({ refund });
    const more = { paymentId: 'pay_1', ...refund, id: 'rfnd_2', amount: euros(10_001) };
    expect((await request(provider.url, 'refunds', more)).status).toBe(422);
    await eventually(() => shop.received.length === 2, 'the callback of the refund');
    expect(shop.received.slice(1).map(parsed)).toMatchObject([
      { type: 'payment.refunded', data: { amount: euros(2000), refundReference: 'rfnd_1' } },
    ]);
  });

  it('is refused unless it is signed', async () => {
    const { provider } = await open();
    for (const signature of ['', 't=1,v1=00', signDemoCallback(secret, '{}', new Date())])
      expect((await request(provider.url, 'close', { paymentId: 'pay_1' }, signature)).status).toBe(401);
  });
});

describe('a callback', () => {
  it('is sent again, signed anew, until it is taken', async () => {
    const { shop, api, listed } = await open();
    shop.answer(503);
    expect((await api('payments/pay_1/pay', JSON.stringify(euros(500)))).status).toBe(202);
    await eventually(() => shop.received.length === 2, 'the second attempt');
    expect(shop.received.every((each) => isSigned(each, secret))).toBe(true);
    expect(shop.received[0]?.signature).not.toBe(shop.received[1]?.signature);
    expect(shop.received[0]?.body).toBe(shop.received[1]?.body);
    await eventually(async () => (await listed('pay_1'))[0]?.state === 'delivered', 'the second attempt to be taken');
    expect(await listed('pay_1')).toMatchObject([{ state: 'delivered', attempts: [{ status: 503 }, { status: 200 }] }]);
  });

  it('is not sent again where the shop refuses it for good', async () => {
    const { shop, api, listed, say } = await open();
    shop.answer(400);
    await api('payments/pay_1/pay', JSON.stringify(euros(500)));
    await eventually(async () => (await listed('pay_1'))[0]?.state === 'refused', 'the refusal');
    expect(say.mock.calls).toEqual([['Payments: payment.succeeded was refused (400).']]);
  });

  it('that is not answered does not keep those of other payments waiting', async () => {
    const { shop, api, listed } = await open();
    shop.answer('never');
    await api('payments/pay_1/pay', JSON.stringify(euros(500)));
    await api('payments/pay_1/refund', '{}');
    await eventually(() => shop.received.length === 1, 'the callback that is not answered');
    await api('payments/pay_2/pay', JSON.stringify(euros(600)));
    await eventually(() => shop.received.length > 1, 'the callback of the other payment');
    expect(shop.received.map((each) => parsed(each).data.paymentId)).toEqual(['pay_1', 'pay_2']);
    expect((await listed('pay_1')).map(({ attempts }) => attempts)).toEqual([[], []]);
  });

  it('is sent after a restart, to the shop as it is then, and the pages keep their address', async () => {
    const dataDir = await freshFolder();
    const gone = await startReceiver();
    await gone.close();
    const first = await open({ dataDir, callbackUrl: gone.url });
    await first.click(linkOf('pay_1'), { action: 'pay' });
    await eventually(async () => (await first.listed())[0]?.attempts.length, 'an attempt that is not answered');
    await first.api('payments/pay_2/pay', JSON.stringify({ ...euros(500), late: 1 }));
    await first.provider.close();

    const second = await open({ dataDir });
    expect(second.provider.url).toBe(first.provider.url);
    await eventually(() => second.shop.received.length === 2, 'both callbacks');
    const paid = second.shop.received.map((each) => parsed(each).data.paymentId);
    expect(new Set(paid)).toEqual(new Set(['pay_1', 'pay_2']));
    expect(second.shop.received.every((each) => isSigned(each, secret))).toBe(true);
    const page = await (await second.open(linkOf('pay_1'))).text();
    expect(page).toContain('What was paid');
  });
});

describe('the port', () => {
  it('is another one where that of the last start is taken, and an error where the given one is', async () => {
    const dataDir = await freshFolder();
    const first = await open({ dataDir });
    const second = await open({ dataDir });
    expect(second.provider.url).not.toBe(first.provider.url);
    await expect(open({ port: Number(new URL(first.provider.url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('the API for programs', () => {
  it('does what the page does, for an invoice too', async () => {
    const { shop, api } = await open();
    const paid = { ...euros(500), invoiceNumber: 'INV-2026-000123' };
    await api('payments/pay_1/pay', JSON.stringify(paid));
    await api('payments/pay_1/refund', '{}');
    await api('payments/pay_2/fail', JSON.stringify(euros(1)));
    await api('payments/pay_3/dispute', JSON.stringify(euros(2)));
    await eventually(() => shop.received.length === 4, 'four callbacks');
    const callbacks = shop.received.map(parsed);
    const of = (paymentId: string) => callbacks.filter(({ data }) => data.paymentId === paymentId);
    const [succeeded, refunded] = of('pay_1');
    expect(succeeded?.data).toMatchObject({ invoiceNumber: 'INV-2026-000123', amount: euros(500) });
    expect(refunded).toMatchObject({
      type: 'payment.refunded',
      data: { amount: euros(500), providerReference: succeeded?.data.providerReference },
    });
    expect(of('pay_2')).toMatchObject([{ type: 'payment.failed' }]);
    expect(of('pay_3')).toMatchObject([{ type: 'payment.disputed', data: { amount: euros(2) } }]);
  });

  it('signs and sends any body as it is, to the byte', async () => {
    const { shop, api } = await open();
    const bodies = ['{ "id" : "evt_1",\n"data":{"paymentId":"pay_é"}}', 'no JSON at all', ''];
    for (const body of bodies) expect((await api('callbacks', body)).status).toBe(202);
    await eventually(() => shop.received.length === bodies.length, 'all of them');
    expect(shop.received.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
    expect(shop.received.every((each) => isSigned(each, secret))).toBe(true);
  });

  it('needs the secret, and refuses what can not be', async () => {
    const { api, listed } = await open();
    const pay = JSON.stringify(euros(500));
    for (const authorization of ['', `Bearer ${secret}x`, secret]) {
      expect((await api('payments/pay_1/pay', pay, { authorization })).status).toBe(401);
      expect((await api('callbacks', pay, { authorization })).status).toBe(401);
    }
    const wrong: [string, object, number][] = [
      ['pay', {}, 422],
      ['pay', euros(0), 400],
      ['pay', { ...euros(1), currency: 'euro' }, 400],
      ['refund', {}, 422],
      ['steal', euros(1), 400],
    ];
    for (const [action, body, status] of wrong)
      expect((await api(`payments/pay_1/${action}`, JSON.stringify(body))).status, action).toBe(status);
    expect(await listed()).toEqual([]);
  });
});
