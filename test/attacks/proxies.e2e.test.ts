import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Seen } from './system/leaks.ts';
import { claimsOf, expectStatus, signUp, type Person } from './system/people.ts';
import { startSystem, type System } from './system/system.ts';

// Every connection here comes from the load balancer, which appends the address of its own client.
const loadBalancer = '127.0.0.1';
// A shop that renders pages on its server names its shoppers; it calls by way of the load balancer, as everybody does.
const shop = '203.0.113.10';
const attacker = '198.51.100.66';

let system: System;
let shopper: Person;
beforeAll(async () => {
  system = await startSystem('proxies', {
    RATE_LIMITS: 'on',
    RATE_LIMIT_AUTH: '10',
    TRUST_PROXY: `${loadBalancer}, ${shop}`,
  });
  shopper = await signUp(system, 'shopper');
});
afterAll(async () => {
  await system?.close();
});

const attempt = (...addresses: string[]) =>
  system.call('POST', '/v1/auth/login', { body: {}, headers: { 'x-forwarded-for': addresses.join(', ') } });

async function useUp(...addresses: string[]): Promise<void> {
  for (let asked = 0; (await attempt(...addresses)).status !== 429; asked += 1)
    if (asked > 100) throw new Error('the budget does not end');
}

const room = ({ headers }: Seen) => Number(/"auth";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('a shop that names its shoppers', () => {
  it('has the budget of each shopper, and none of them uses up that of another', async () => {
    await useUp('198.51.100.1', shop);
    expect((await attempt('198.51.100.2', shop)).status).toBe(400);
    expect((await attempt('2001:db8:0:1::1', shop)).status).toBe(400);
  });

  it('is one client for each network of 64 bits in IPv6', async () => {
    await useUp('2001:db8:0:2::1', shop);
    expect((await attempt('2001:DB8:0:2:ffff::9', shop)).status).toBe(429);
    expect((await attempt('2001:db8:0:3::1', shop)).status).toBe(400);
  });

  it.each(['unknown', '', '_hidden', '300.1.1.1', '; drop'])('is counted itself where it names %j', async (text) => {
    await useUp(shop);
    expect((await attempt(text, shop)).status).toBe(429);
  });

  it('is understood in other spellings of an address', async () => {
    await useUp('198.51.100.5', shop);
    for (const spelling of ['198.51.100.5:4711', '::ffff:198.51.100.5', '::ffff:c633:6405'])
      expect([spelling, (await attempt(spelling, shop)).status]).toEqual([spelling, 429]);
  });

  it('hands the address on to where the sessions of a user are listed', async () => {
    const { email, password } = shopper;
    const headers = { 'x-forwarded-for': `::ffff:198.51.100.7, ${shop}` };
    const opened = await expectStatus(
      system.call('POST', '/v1/auth/login', { body: { email, password }, headers }),
      200,
    );
    const { data } = await expectStatus(system.call('GET', '/v1/auth/sessions', { token: shopper.token }), 200);
    const session = data.find(({ id }: { id: string }) => id === claimsOf(opened.accessToken).sid);
    expect(session.ip).toBe('198.51.100.7');
  });
});

describe('anybody else', () => {
  it('is who the load balancer says, whatever they claim', async () => {
    await useUp(attacker);
    for (const claimed of ['198.51.100.200', '127.0.0.1', shop, `198.51.100.200, ${shop}`, 'unknown', '::1'])
      expect([claimed, (await attempt(claimed, attacker)).status]).toEqual([claimed, 429]);
  });

  it('uses up the budget of nobody whom they claim to be', async () => {
    await useUp('198.51.100.20', '198.51.100.67');
    expect(room(await attempt('198.51.100.20', shop))).toBe(9);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
