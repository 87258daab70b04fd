import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInternalClient } from '../src/internal-client.ts';
import { closeUpstreams, openUpstreams } from '../src/pools.ts';
import { answersLivez } from './support/livez.ts';

const tokens = { issue: async () => 'token' };
let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

/** An instance of identity that answers its requests by these statuses in turn, by the last one from then on. */
async function startInstance(...statuses: number[]) {
  const instance = { url: '', requests: 0 };
  const server = createServer((request, response) => {
    if (answersLivez(request, response)) return;
    const status = statuses[Math.min(instance.requests, statuses.length - 1)] ?? 200;
    instance.requests += 1;
    response.writeHead(status, { 'x-request-id': 'request' }).end(`{"status":${status}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.defer(() => void server.close());
  opened.defer(() => server.closeAllConnections());
  instance.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return instance;
}

/** What the gateway reads of identity, with these instances. */
function clientOf(retryMs: number, ...instances: readonly { readonly url: string }[]) {
  const upstreams = openUpstreams(new Map([['identity', instances.map(({ url }) => url)]]), { timeoutMs: 60_000 });
  opened.defer(() => closeUpstreams(upstreams));
  const upstream = upstreams.get('identity');
  if (!upstream) throw new Error('no upstream');
  return createInternalClient(upstream, tokens, retryMs);
}

describe('a request of the gateway itself', () => {
  it('is sent to another instance where one answers 503', async () => {
    const [refusing, serving] = [await startInstance(503), await startInstance(200)];
    const client = clientOf(60_000, refusing, serving);
    expect(await client.get('/x')).toEqual({ status: 200, body: { status: 200 } });
    expect([refusing.requests, serving.requests]).toEqual([1, 1]);
  });

  it('has no answer where each instance has answered 503, however much time is left', async () => {
    const both = [await startInstance(503, 200), await startInstance(503, 200)];
    await expect(clientOf(60_000, ...both).get('/x')).rejects.toThrow('identity answered 503');
    expect(both.map(({ requests }) => requests)).toEqual([1, 1]);
  });

  it('is sent once where it must not wait', async () => {
    const [refusing, serving] = [await startInstance(503), await startInstance(200)];
    await expect(clientOf(0, refusing, serving).get('/x')).rejects.toThrow('identity answered 503');
    expect([refusing.requests, serving.requests]).toEqual([1, 0]);
  });

  it('is not sent again after any other failure of the service', async () => {
    const [failing, serving] = [await startInstance(500), await startInstance(200)];
    await expect(clientOf(60_000, failing, serving).get('/x')).rejects.toThrow('identity answered 500');
    expect([failing.requests, serving.requests]).toEqual([1, 0]);
  });
});
