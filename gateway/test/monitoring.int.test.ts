import { freePort } from '@storefront/backing';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
let fake: FakeBus;
let gateway: Awaited<ReturnType<typeof startGateway>> | undefined;
const status = async (url: string) => (await fetch(url)).status;

beforeEach(async () => {
  identity = await startFakeIdentity();
  fake = createFakeBus();
});
afterEach(async () => {
  await Promise.all([gateway?.close(), identity.stop()]);
});

describe('monitoring of the gateway', () => {
  it('sees whether it can check tokens', async () => {
    gateway = await startGateway(identity, fake);
    const { url } = gateway;
    await eventually(async () => (await status(`${url}/readyz`)) === 200, 'the gateway to be ready');
    fake.lose();
    fake.connect(false);
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: 'degraded',
      checks: {
        keys: { ok: true },
        broker: { ok: false },
        revocations: { ok: true, bound: false, reason: 'asking identity about each token' },
      },
    });
    await identity.stop();
    expect(await status(`${url}/readyz`)).toBe(503);
    expect(await status(`${url}/livez`)).toBe(200);
    expect(await status(`${url}/v1/health`)).toBe(200);
  });

  it('gets metrics by route pattern, never by path', async () => {
    gateway = await startGateway(identity, fake);
    await status(`${gateway.url}/v1/trade-accounts/made-up-by-a-client`);
    await status(`${gateway.url}/made-up-too`);
    const figures = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(figures).toContain('route="/v1/trade-accounts/{id}"');
    expect(figures).toMatch(/^broker_connected\{service="gateway"\} 1$/m);
    expect(figures).not.toContain('made-up');
  });

  it('gets the age of the table of revocations, and -1 while it is incomplete', async () => {
    gateway = await startGateway(identity, fake);
    const { url } = gateway;
    const age = async () => {
      const figures = await (await fetch(`${url}/metrics`)).text();
      return Number(/^gateway_revocations_age_seconds\S* (\S+)$/m.exec(figures)?.[1]);
    };
    expect(await age()).toBe(-1);
    fake.keepFresh();
    await eventually(async () => (await age()) >= 0, 'a complete table');
    fake.stopFreshness();
    await eventually(async () => (await age()) > 1, 'a table that is older than a second');
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
      checks: { revocations: { ok: true, bound: true, reason: 'asking identity about each token' } },
    });
    fake.lose();
    expect(await age()).toBe(-1);
  });

  it('has a port of its own in production, where the public one has no metrics', async () => {
    const OPERATIONS_PORT = String(await freePort());
    gateway = await startGateway(identity, fake, { NODE_ENV: 'production', RATE_LIMITS: 'on', OPERATIONS_PORT });
    expect(await status(`${gateway.url}/metrics`)).toBe(404);
    expect(await status(`http://127.0.0.1:${OPERATIONS_PORT}/metrics`)).toBe(200);
    expect(await status(`http://127.0.0.1:${OPERATIONS_PORT}/livez`)).toBe(200);
    expect(await status(`http://127.0.0.1:${OPERATIONS_PORT}/v1/health`)).toBe(404);
  });
});
