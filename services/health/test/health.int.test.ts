import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@storefront/process';
import { eventually, principal, startService, type Answer, type Harness, type Instance } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../src/config.ts';
import { service } from '../src/service.ts';
import { definitions } from '../src/store/history.ts';

const [admin, retail] = [principal('admin'), principal('retail')];

let health: Harness;
let shop: Awaited<ReturnType<typeof fakeService>>;
beforeAll(async () => {
  // Four missed looks end an incident: so long a busy machine must not stand still.
  health = await startService(service, { definitions, settings: { PROBE_INTERVAL_MS: '250' }, instances: 0 });
  shop = await fakeService();
});
afterEach(async () => {
  await health.stop();
  shop.state = 'ready';
});
afterAll(async () => {
  shop.close();
  await health.close();
});

/** A service whose readiness the test decides. */
async function fakeService() {
  const checks = {
    database: { ok: true, milliseconds: 1 },
    broker: { ok: true, kind: 'rabbitmq' },
    outbox: { ok: true, depth: 2, oldestAgeSeconds: 0.5 },
    consumers: { ok: true, queues: [{ queue: 'shop.on-something', ready: 3, delayed: 1 }] },
  };
  const self = {
    url: '',
    state: 'ready' as 'ready' | 'degraded' | 'not-ready' | 'silent',
    asked: 0,
    close: () => server.close(),
  };
  const server = createServer((_request, response) => {
    self.asked += 1;
    if (self.state === 'silent') return;
    const broker = self.state === 'ready' ? checks.broker : { ok: false, reason: 'away at 10.0.0.7' };
    response.writeHead(self.state === 'not-ready' ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: self.state, checks: { ...checks, broker } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return self;
}

/** An instance that watches these services. */
function startHealth(services: string, more: Record<string, string> = {}, now?: () => Date): Promise<Instance> {
  return health.another({ settings: { SERVICES: services, ...more }, ...(now && { now }) });
}

const get = (instance: Instance, path: string, who: Parameters<Instance['call']>[0] = null): Promise<Answer> =>
  instance.call(who, 'GET', path);

describe('GET /v1/health/ready', () => {
  it('answers 200 and what each service says', async () => {
    const instance = await startHealth(`shop=${shop.url}`);
    const { status, body } = await get(instance, '/v1/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ready',
      checkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      services: {
        shop: {
          status: 'ready',
          database: { ok: true, milliseconds: 1 },
          broker: { ok: true, kind: 'rabbitmq' },
          outbox: { ok: true, depth: 2, oldestAgeSeconds: 0.5 },
          consumers: { ok: true, lag: 4 },
        },
        health: { status: 'ready', database: { ok: true, milliseconds: expect.any(Number) } },
      },
    });
  });

  it('answers 200 and shows what is in trouble when all take requests, which is no incident', async () => {
    shop.state = 'degraded';
    const instance = await startHealth(`stall=${shop.url}`);
    const { status, body } = await get(instance, '/v1/health/ready');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      services: { stall: { status: 'degraded', broker: { ok: false } } },
    });
    const requested = shop.asked;
    await eventually(() => shop.asked > requested + 3, 'several looks');
    expect((await get(instance, '/v1/health/history?service=stall', admin)).body.data).toEqual([]);
  });

  it('answers 200 while one of two instances takes requests, and shows that the other is away', async () => {
    const instance = await startHealth(`pair=${shop.url},pair=http://127.0.0.1:9`);
    const { status, body } = await get(instance, '/v1/health/ready');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      services: { pair: { status: 'degraded', broker: { ok: true }, instances: ['ready', 'unreachable'] } },
    });
    const requested = shop.asked;
    await eventually(() => shop.asked > requested + 3, 'several looks');
    expect((await get(instance, '/v1/health/history?service=pair', admin)).body.data).toEqual([]);
  });

  it('answers 503 without the reason when one is not ready, or not there', async () => {
    shop.state = 'not-ready';
    const instance = await startHealth(`shop=${shop.url},gone=http://127.0.0.1:9`);
    const { status, headers, body } = await get(instance, '/v1/health/ready');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body.status).toBe('not-ready');
    expect(body.services.shop.status).toBe('not-ready');
    expect(body.services.shop.broker).toEqual({ ok: false });
    expect(body.services.gone).toEqual({ status: 'unreachable' });
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  it('gives up on a service that says nothing, and asks once for many callers', async () => {
    shop.state = 'silent';
    const instance = await startHealth(`shop=${shop.url}`, { PROBE_INTERVAL_MS: '60000' });
    shop.asked = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(instance, '/v1/health/ready')));
    expect(answers.map((answer) => answer.body.services.shop.status)).toEqual(Array(20).fill('unreachable'));
    expect(shop.asked).toBe(1);
  });
});

describe('GET /v1/health/history', () => {
  it('is for administrators', async () => {
    const instance = await startHealth(`shop=${shop.url}`);
    expect((await get(instance, '/v1/health/history')).status).toBe(401);
    expect((await get(instance, '/v1/health/history', retail)).status).toBe(403);
    expect((await get(instance, '/v1/health/history', admin)).status).toBe(200);
  });

  it('records an incident from its beginning to its end, once for all instances', async () => {
    const start = () => startHealth(`till=${shop.url}`);
    const [first] = await Promise.all([start(), start(), start()]);
    const history = async () => (await get(first, '/v1/health/history?service=till', admin)).body;
    await eventually(async () => (await history()).uptime.till, 'the first look');
    expect((await history()).data).toEqual([]);

    shop.state = 'not-ready';
    const open = await eventually(async () => (await history()).data[0], 'an incident');
    expect(open).toMatchObject({ service: 'till', reason: 'not-ready: broker (away at 10.0.0.7)', endedAt: null });
    shop.state = 'ready';
    await eventually(async () => (await history()).data[0].endedAt, 'the end of the incident');
    // It grows with each look that finds it ready.
    await eventually(async () => (await history()).uptime.till.last24Hours > 0, 'time in which it was ready');
    const { data, uptime } = await history();
    expect(data).toHaveLength(1);
    expect(data[0].durationSeconds).toBeGreaterThan(0);
    expect(uptime.till.last24Hours).toBeLessThan(100);
    expect(uptime.till.last30Days).toEqual(uptime.till.last24Hours);
  });

  it('gives pages, and refuses a cursor of another list', async () => {
    const instance = await startHealth(`page=${shop.url}`);
    const history = async (query: string) => get(instance, `/v1/health/history?${query}`, admin);
    await eventually(async () => (await history('service=page')).body.uptime.page, 'the first look');
    for (let incident = 1; incident <= 3; incident += 1) {
      shop.state = 'not-ready';
      await eventually(
        async () => (await history('service=page')).body.data.filter((entry: any) => entry.endedAt === null).length,
        'an open incident',
      );
      shop.state = 'ready';
      await eventually(
        async () => (await history('service=page')).body.data.every((entry: any) => entry.endedAt !== null),
        'its end',
      );
    }
    const first = (await history('service=page&limit=2')).body;
    const second = (await history(`service=page&limit=20&cursor=${first.nextCursor}`)).body;
    expect(first.data).toHaveLength(2);
    const all = [...first.data, ...second.data];
    expect(new Set(all.map((entry) => entry.id)).size).toBe(all.length);
    expect(all).toEqual((await history('service=page')).body.data);
    const starts = all.map((entry) => Date.parse(entry.startedAt));
    expect(starts).toEqual(starts.toSorted((one, other) => other - one));
    expect(second.nextCursor).toBeNull();
    const elsewhere = await history(`limit=2&cursor=${first.nextCursor}`);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'invalid_cursor']);
    expect((await history('limit=0')).status).toBe(400);
    expect((await history('service=$ne')).status).toBe(400);
  });

  it('leaves the time in which it did not run out of the account', async () => {
    const hour = 3_600_000;
    let now = Date.now() - 2 * hour;
    const read = async (instance: Instance) => (await get(instance, '/v1/health/history?service=night', admin)).body;
    // Internal tokens are made by the real clock, so the first instance is not requested.
    await startHealth(`night=${shop.url}`, {}, () => new Date((now += 100)));
    const present = await startHealth(`other=${shop.url}`);
    await eventually(async () => (await read(present)).uptime.night, 'the first look');
    shop.state = 'not-ready';
    await eventually(async () => (await read(present)).data.length === 1, 'an incident of the past');
    await health.stop();

    shop.state = 'ready';
    const again = await startHealth(`night=${shop.url}`);
    const ended = await eventually(async () => (await read(again)).data[0].endedAt, 'the end of that incident');
    expect(Date.parse(ended)).toBeLessThan(Date.now() - hour);
  });
});

it('names what is wrong with its configuration', () => {
  const env = {
    MONGODB_URL: 'mongodb://127.0.0.1/health',
    INTERNAL_TOKEN_PUBLIC_KEY: String(health.settings.INTERNAL_TOKEN_PUBLIC_KEY),
    API_SECRET: 'a secret that is long enough for signing',
  };
  expect(() => loadConfig(configSchema, env)).toThrow('SERVICES: is required');
  expect(() => loadConfig(configSchema, { ...env, SERVICES: 'identity' })).toThrow('"identity" is not');
  const { SERVICES } = loadConfig(configSchema, { ...env, SERVICES: 'identity=http://a:1/, gateway=https://b' });
  expect(SERVICES).toEqual({ identity: ['http://a:1'], gateway: ['https://b'] });
  const pair = loadConfig(configSchema, {
    ...env,
    SERVICES: 'identity=http://a:1,gateway=https://b,identity=http://c',
  });
  expect(pair.SERVICES.identity).toEqual(['http://a:1', 'http://c']);
});
