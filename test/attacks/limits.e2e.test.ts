import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Seen } from './system/leaks.ts';
import { statuses } from './system/raw.ts';
import { startSystem, type System } from './system/system.ts';

const authBudget = 30;
const addressBudget = 400;

let system: System;
const sockets: Socket[] = [];

beforeAll(async () => {
  system = await startSystem('limits', {
    RATE_LIMITS: 'on',
    RATE_LIMIT_AUTH: String(authBudget),
    RATE_LIMIT_IP: String(addressBudget),
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await system?.close();
});

async function open(bytes: string): Promise<{ socket: Socket; received: () => string; ended: Promise<void> }> {
  const { hostname, port } = new URL(system.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.write(bytes);
  return { socket, received: () => received, ended };
}

/**
 * What is answered once a budget is spent, and it is spent again where its minute is over by then: only what is always let
 * through gets past.
 */
async function whenSpent(spend: () => Promise<Seen>, ask: () => Promise<Seen>): Promise<Seen> {
  for (let tries = 1; ; tries += 1) {
    for (let spent = 0; (await spend()).status !== 429; spent += 1)
      if (spent > 2 * authBudget) throw new Error('the budget does not end');
    const answer = await ask();
    if (answer.status === 429 || tries === 3) return answer;
  }
}

const logInAttempt = (headers: Record<string, string> = {}) =>
  system.call('POST', '/v1/auth/login', {
    body: { email: 'nobody@example.com', password: { not: 'a password' } },
    headers,
  });

describe('clients that take their time', () => {
  it('do not keep others waiting, however many they are', async () => {
    const idle = Array.from({ length: 150 }, () => open(''));
    const halves = Array.from({ length: 100 }, () => open('POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-'));
    const bodies = Array.from({ length: 20 }, () =>
      open(
        'POST /v1/customers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a',
      ),
    );
    await Promise.all([...idle, ...halves, ...bodies]);
    const reached = system.reached().length;
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await system.call('GET', '/v1/health')).status).toBe(200);
      expect((await system.call('GET', '/v1/products')).status).toBe(200);
    }
    const routes = system.reached().slice(reached);
    expect(routes.filter(({ route }) => route !== '/v1/products')).toEqual([]);
  });
});

describe('bodies that are too large', () => {
  const head = 'POST /v1/analytics/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it('are refused by what they say of themselves, before they come', async () => {
    const { received, ended } = await open(`${head}Content-Length: ${10 * 1024 ** 3}\r\n\r\n`);
    await ended;
    expect(statuses(received())).toEqual([413]);
    expect(received()).toContain('"code":"body_too_large"');
  });

  it('are refused in chunks as soon as they are too large, and not read on', async () => {
    const { socket, received, ended } = await open(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 4096) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), ended]);
      sent += 1;
      if (received() !== '') break;
    }
    expect(statuses(received())[0] ?? 413).toBe(413);
    expect(sent * 65_536).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('the budget of logins', () => {
  it('ends, and says when it begins again', async () => {
    const answers = [];
    for (let turn = 0; turn < authBudget + 3; turn += 1) answers.push(await logInAttempt());
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.slice(0, authBudget).map(({ status }) => status)).toEqual(Array(authBudget).fill(400));
    expect(refused.length).toBe(3);
    for (const { headers, body } of refused) {
      expect(body.code).toBe('rate_limited');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(headers.get('ratelimit')).toMatch(/"auth";r=0;t=\d+/);
      expect(headers.get('ratelimit-policy')).toContain(`"auth";q=${authBudget};w=60`);
    }
  });

  it('is one for all routes of that kind', async () => {
    for (const path of ['/v1/auth/verify', '/v1/auth/password/reset', '/v1/auth/register'])
      expect((await whenSpent(logInAttempt, () => system.call('POST', path, { body: {} }))).status).toBe(429);
  });

  it.each<Record<string, string>>([
    { 'x-forwarded-for': '6.6.6.6' },
    { 'x-forwarded-for': '6.6.6.6, 127.0.0.1' },
    { 'x-real-ip': '6.6.6.6' },
    { forwarded: 'for=6.6.6.6' },
    { 'x-client-ip': '6.6.6.6' },
    { 'true-client-ip': '6.6.6.6' },
    { 'cf-connecting-ip': '6.6.6.6' },
    { 'x-cluster-client-ip': '6.6.6.6' },
    { via: '1.1 proxy', 'x-forwarded-for': '::1' },
  ])('is not renewed by %j', async (headers) => {
    expect((await whenSpent(logInAttempt, () => logInAttempt(headers))).status).toBe(429);
  });

  it('is not renewed by another spelling of the path or another connection', async () => {
    const headers = { connection: 'close' };
    for (const path of ['/v1/auth/login?a=1', '/v1/auth/login?', '/v1/auth/x', '/v1/auth']) {
      const answer = await whenSpent(logInAttempt, () => system.call('POST', path, { body: {}, headers }));
      expect([path, answer.status]).toEqual([path, 429]);
    }
  });

  it('leaves everything else open', async () => {
    expect((await system.call('POST', '/v1/auth/refresh', { body: {} })).status).toBe(400);
    expect((await system.call('GET', '/v1/products')).status).toBe(200);
  });
});

describe('the budget of an address', () => {
  it('ends, whatever caller is claimed', async () => {
    const ask = (path: string, address: string) =>
      system.call('GET', path, { headers: { 'x-forwarded-for': address } });
    const turns = Array.from({ length: addressBudget }, (_, turn) => turn);
    const spend = async () => {
      const answers = await Promise.all(turns.map((turn) => ask('/v1/no-such-thing', `6.6.6.${turn}`)));
      return answers.reduce((last, next) => (next.status === 429 ? next : last));
    };
    const last = await whenSpent(spend, () => ask('/v1/products', '7.7.7.7'));
    expect([last.status, last.body.code]).toEqual([429, 'rate_limited']);
  });

  it('never takes the answer from those who watch', async () => {
    expect((await system.call('GET', '/v1/health')).status).toBe(200);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
