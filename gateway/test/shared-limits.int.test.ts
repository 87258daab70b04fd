import { newInternalKeyPair } from '@storefront/access-token';
import { fact, gatewayEvents } from '@storefront/contracts';
import { eventually, memoryLogger, openTestBus } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { someone, startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { bearer, startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
beforeEach(async () => {
  identity = await startFakeIdentity();
});
afterEach(() => identity.stop());

const newKey = async () => JSON.stringify((await newInternalKeyPair()).privateJwk);
const open = async (buses: Parameters<typeof startGateway>[1], settings: Record<string, string>) => {
  const gateway = await startGateway(identity, buses, { RATE_LIMITS: 'on', ...settings });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** The statuses of so many requests, one after the other. */
async function ask(gateway: { url: string }, path: string, times: number, init: RequestInit = {}): Promise<number[]> {
  const seen = [];
  for (let time = 0; time < times; time += 1) seen.push((await fetch(gateway.url + path, init)).status);
  return seen;
}

/** Waits until the gateway has heard of so many requests at others. Monitoring is counted in no budget. */
async function heard(gateway: { url: string }, count: number): Promise<void> {
  await eventually(async () => {
    const figures = await (await fetch(`${gateway.url}/metrics`)).text();
    return new RegExp(`^gateway_requests_counted_elsewhere_total\\{[^}]*\\} ${count}$`, 'm').test(figures);
  }, `${count} requests counted by the other gateway`);
}

describe.each(['in-process', 'rabbitmq'] as const)('two gateways on the bus %s', (kind) => {
  it('grant one budget together to an address, and to a user', async () => {
    const bus = await openTestBus(kind, 'gateway', memoryLogger().logger);
    onTestFinished(() => bus.close());
    const settings = { INTERNAL_TOKEN_PRIVATE_KEY: await newKey(), RATE_LIMIT_AUTH: '6', RATE_LIMIT_USER: '10' };
    const [one, other] = [await open(bus, settings), await open(bus, settings)];

    expect(await ask(one, '/v1/auth/sessions', 4)).toEqual([200, 200, 200, 200]);
    // The budget of the address has 1,200; what is far from its end is not published.
    await heard(other, 4);
    expect(await ask(other, '/v1/auth/sessions', 3)).toEqual([200, 200, 429]);
    await heard(one, 2);
    expect(await ask(one, '/v1/auth/sessions', 1)).toEqual([429]);

    const init = bearer(await identity.sign(someone()));
    expect(await ask(one, '/v1/users/me', 7, init)).toEqual(Array(7).fill(200));
    await heard(other, 4 + 7);
    expect(await ask(other, '/v1/users/me', 4, init)).toEqual([200, 200, 200, 429]);
    const answer = await fetch(`${other.url}/v1/users/me`, bearer(await identity.sign(someone())));
    expect(answer.headers.get('ratelimit')).toMatch(/^"user";r=9;t=\d+$/);
  });
});

/** All that the gateway has published so far. */
function countsOf({ published }: FakeBus) {
  return published
    .filter(({ type }) => type === gatewayEvents.requestsCounted.type)
    .flatMap(({ data }) => gatewayEvents.requestsCounted.data.parse(data).counts);
}

function sum(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((total, [, count]) => total + count, 0);
}

describe('what a gateway publishes', () => {
  it('names nobody, and is published several at a time', async () => {
    const fake = createFakeBus();
    const gateway = await open(fake, { RATE_LIMIT_USER: '40', RATE_LIMIT_AUTH: '30' });
    fake.keepFresh();
    const user = someone();
    await ask(gateway, '/v1/users/me', 5, bearer(await identity.sign(user)));
    await ask(gateway, '/v1/auth/sessions', 3);
    const sums = () => [...Map.groupBy(countsOf(fake), ([caller]) => caller).values()].map(sum);
    // Of the five of the user every second one is published; those of the address count in full on auth.
    await eventually(() => sums().length === 2 && sums().reduce((a, b) => a + b) === 4 + 3, 'the counts');
    expect(sums().toSorted((a, b) => a - b)).toEqual([3, 4]);
    const text = JSON.stringify(fake.published);
    expect(text).not.toContain('127.0.0.1');
    expect(text).not.toContain(user.sub);
  });

  it('is not what it counted while the broker was away: then it counts alone', async () => {
    const fake = createFakeBus();
    const gateway = await open(fake, { RATE_LIMIT_AUTH: '3' });
    fake.connect(false);
    const before = fake.looks();
    expect(await ask(gateway, '/v1/auth/sessions', 1)).toEqual([200]);
    // Its checks of the revocations look too, but three times a second: one of three looks is that of the counts.
    await eventually(() => fake.looks() >= before + 3, 'the gateway to find the broker away');
    fake.connect(true);
    expect(await ask(gateway, '/v1/auth/sessions', 3)).toEqual([200, 200, 429]);
    await eventually(() => sum(countsOf(fake)) >= 2, 'the counts of both requests');
    expect(sum(countsOf(fake))).toBe(2);
  });
});

it('counts that a gateway can not read change nothing', async () => {
  const fake = createFakeBus();
  const gateway = await open(fake, { RATE_LIMIT_AUTH: '1' });
  const of = (counts: unknown) => fact(gatewayEvents.requestsCounted, 'another', { counts } as never);
  for (const counts of [[['short', 5]], [['x'.repeat(22), -5]], [['x'.repeat(22), 1.5]], [], 'all'])
    fake.receive(of(counts));
  expect(gateway.lines.filter((line) => line.includes('could not be read'))).toHaveLength(5);
  expect(await ask(gateway, '/v1/auth/sessions', 2)).toEqual([200, 429]);
});
