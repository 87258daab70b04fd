import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startDemoProvider } from '@storefront/demo-provider';
import { demoSecret, startBilling, type Harness } from './harness.ts';

/** Billing, on RabbitMQ, with the demo provider, which talk to each other by HTTP. */
export interface DemoShop {
  readonly billing: Harness;
  /** Calls the provider's API for programs. */
  readonly provider: (path: string, body?: object) => Promise<any>;
  /** Presses a button on the page of a payment. */
  readonly click: (page: string, form: Readonly<Record<string, string>>) => Promise<Response>;
  /** Ends the provider; the returned function starts it again at the same address. */
  readonly stopProvider: () => Promise<() => Promise<void>>;
  /** The provider makes the next refund, and from then on no answer arrives, until the returned function is called. */
  readonly loseAnswersFromRefund: () => () => void;
  readonly close: () => Promise<void>;
}

export async function startDemoShop(options: Parameters<typeof startBilling>[0] = {}): Promise<DemoShop> {
  await using opening = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-shop-'));
  opening.defer(() => rm(dataDir, { recursive: true, force: true }));
  let billing: Harness | undefined;

  const signedBy = ({ headers }: IncomingMessage) => ({
    'content-type': headers['content-type'] ?? 'application/json',
    'payment-signature': String(headers['payment-signature']),
  });
  let loses: 'nothing' | 'from the next refund' | 'all' = 'nothing';

  /** The gateway's part: it forwards callbacks with its internal token. */
  async function toBilling(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const forwarded = await fetch(`${billing?.url() ?? ''}${request.url ?? ''}`, {
      method: 'POST',
      body: await buffer(request),
      headers: { ...(await billing?.headersFor(null)), 'x-client-ip': '192.0.2.7', ...signedBy(request) },
    });
    response.writeHead(forwarded.status).end(await forwarded.text());
  }

  /** The network's part between billing and the provider. */
  async function toProvider(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const body = await buffer(request);
    const answer = await fetch(`${url}${request.url ?? ''}`, {
      method,
      headers: signedBy(request),
      ...(method === 'POST' && { body }),
      redirect: 'manual',
    });
    const text = await answer.text();
    if (loses === 'from the next refund' && request.url === '/shop/refunds') loses = 'all';
    if (loses === 'all') return void request.socket.destroy();
    const location = answer.headers.get('location');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      ...(location !== null && { location }),
    });
    response.end(text);
  }

  const gateway = createServer((request, response) => {
    const forward = request.url?.startsWith('/v1/') ? toBilling : toProvider;
    void forward(request, response).catch(() => response.writeHead(503).end());
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  opening.defer(async () => {
    gateway.closeAllConnections();
    gateway.close();
    await once(gateway, 'close');
  });
  const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const callbackUrl = `${address}/v1/payments/callbacks/demo`;

  const start = (port?: number) =>
    startDemoProvider({ secret: demoSecret, callbackUrl, dataDir, shopName: 'The shop', ...(port && { port }) });
  let provider = await start();
  const { url } = provider;
  opening.defer(() => provider.close());
  billing = await startBilling({ bus: 'rabbitmq', ...options, settings: { DEMO_PAYMENT_URL: address } });
  opening.defer(() => billing?.close());

  const opened = opening.move();
  return {
    billing,
    async provider(path, body) {
      const answer = await fetch(`${url}/api/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${demoSecret}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return answer.json();
    },
    click: (page, form) => fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }),
    async stopProvider() {
      await provider.close();
      return async () => void (provider = await start(Number(new URL(url).port)));
    },
    loseAnswersFromRefund() {
      loses = 'from the next refund';
      return () => void (loses = 'nothing');
    },
    close: () => opened.disposeAsync(),
  };
}
