import { connect, type Socket } from 'node:net';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Seen } from './system/leaks.ts';
import { claimsOf, expectStatus, logIn, signUp, type Person } from './system/people.ts';
import { startSystem, type System } from './system/system.ts';

// Victims and attackers share one address here, as behind one router.
const budgets = { RATE_LIMIT_IP: '60', RATE_LIMIT_AUTH: '80', RATE_LIMIT_USER: '50', RATE_LIMIT_REFRESH: '50' };
const atOnce = 4;

let system: System;
// All sign up before any budget is used up: that is anonymous itself.
let attacker: Person;
let victim: Victim;
let leaving: Person[];
let robbed: Person;
let stolenToken: string;
let hasty: Person;
let hoarder: Person;
const sockets: Socket[] = [];

beforeAll(async () => {
  system = await startSystem('availability', {
    RATE_LIMITS: 'on',
    ...budgets,
    MAX_USER_IN_FLIGHT: String(atOnce),
    MAX_USER_STREAMS: '2',
  });
  attacker = await signUp(system, 'attacker');
  victim = await newVictim();
  // One logout ends all sessions of its user.
  leaving = [];
  for (const _attack of attacks) leaving.push(await signUp(system, 'leaving'));
  robbed = await signUp(system, 'robbed');
  stolenToken = (await logIn(system, robbed)).token;
  hasty = await signUp(system, 'hasty');
  hoarder = await signUp(system, 'hoarder');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await system?.close();
});

/** Somebody with two devices. */
interface Victim extends Person {
  readonly otherSession: string;
}

async function newVictim(): Promise<Victim> {
  const victim = await signUp(system, 'victim');
  const other = await logIn(system, victim);
  return { ...victim, otherSession: claimsOf(other.token).sid as string };
}

type Ask = () => Promise<Seen>;

/** Asks until a budget is used up, as often at once as one user may. */
async function useUp(ask: Ask): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    const answers = await Promise.all(Array.from({ length: atOnce }, ask));
    if (answers.some(({ body }) => body?.code === 'rate_limited')) return;
  }
  throw new Error('the budget does not end');
}

const me = (token: string) => system.call('GET', '/v1/users/me', { token });
const forged = (token: string) => `${token.slice(0, -8)}AAAAAAAA`;
const anonymousAttacks: [what: string, ask: () => Promise<Seen>][] = [
  ['reads', () => system.call('GET', '/v1/products')],
  ['guesses at passwords', () => system.call('POST', '/v1/auth/login', { body: { email: 'victim@example.com' } })],
  ['asks for what needs a token', () => system.call('GET', '/v1/auth/sessions')],
  ['asks for what does not exist', () => system.call('GET', '/v1/auth/no-such-thing')],
  ['sends forged tokens', () => me(forged(attacker.token))],
  ['sends forged tokens to /v1/auth', () => system.call('GET', '/v1/auth/sessions', { token: forged(attacker.token) })],
];
const attacks: [what: string, ask: () => Promise<Seen>][] = [
  ...anonymousAttacks,
  ['guesses at refresh tokens', () => system.call('POST', '/v1/auth/refresh', { body: { refreshToken: 'abc.def' } })],
  ['reads with a token of its own', () => me(attacker.token)],
  ['lists sessions with a token of its own', () => system.call('GET', '/v1/auth/sessions', { token: attacker.token })],
];

describe('a victim behind the same address as an attacker', () => {
  it.each(anonymousAttacks)('refreshes tokens while it %s', async (_what, ask) => {
    await useUp(ask);
    const body = { refreshToken: victim.refreshToken };
    const pair = await expectStatus(system.call('POST', '/v1/auth/refresh', { body }), 200);
    victim.token = pair.accessToken as string;
    victim.refreshToken = pair.refreshToken as string;
  });

  it.each(attacks)('reads, writes, ends sessions and logs out while it %s', async (what, ask) => {
    const { token } = victim;
    await useUp(ask);
    const read = await me(token);
    await useUp(ask);
    const write = await system.call('PATCH', '/v1/users/me', { token, body: { lastName: 'Undisturbed' } });
    await useUp(ask);
    const sessions = await system.call('GET', '/v1/auth/sessions', { token });
    await useUp(ask);
    const end = await system.call('DELETE', `/v1/auth/sessions/${victim.otherSession}`, { token });
    await useUp(ask);
    const logout = await system.call('POST', '/v1/auth/logout', { token: leaving.shift()?.token });
    expect([read, write, sessions, logout].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Ended by the first attack already.
    expect([204, 404]).toContain(end.status);
    expect(read.headers.get('ratelimit'), what).toMatch(/^"user";r=[1-9]/);
  });

  it('goes on while another user begins many requests and ends none', async () => {
    const { hostname, port } = new URL(system.url);
    const begun = 5 * atOnce;
    let refused = 0;
    for (let count = 0; count < begun; count += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      sockets.push(socket);
      socket.once('data', (answer: Buffer) => (refused += answer.includes('too_many_at_once') ? 1 : 0));
      socket.write(
        `PATCH /v1/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hoarder.token}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      );
    }
    await eventually(() => refused === begun - atOnce, 'all but a few to be refused');
    expect(await me(hoarder.token)).toMatchObject({ status: 429, body: { code: 'too_many_at_once' } });
    expect((await me(victim.token)).status).toBe(200);
    expect((await system.call('POST', '/v1/auth/logout', { token: hoarder.token })).status).toBe(200);
  });
});

describe('a victim whose old token a thief has', () => {
  it('keeps the whole budget once the stolen session is ended', async () => {
    const stolen = `/v1/auth/sessions/${claimsOf(stolenToken).sid}`;
    await expectStatus(system.call('DELETE', stolen, { token: robbed.token }), 204);
    await useUp(() => me(stolenToken));
    const answer = await me(robbed.token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toMatch(/^"user";r=4\d;/);
  });
});

describe('logging out', () => {
  it('is 200 when its user has used up every budget, too, and never 429 for nobody', async () => {
    await useUp(() => system.call('GET', '/v1/auth/sessions', { token: hasty.token }));
    await useUp(() => me(hasty.token));
    const nobody = [];
    for (let turn = 0; turn < 80; turn += 1)
      nobody.push((await system.call('POST', '/v1/auth/logout', { token: forged(hasty.token) })).status);
    expect(new Set(nobody)).toEqual(new Set([401]));
    expect((await system.call('POST', '/v1/auth/logout', { token: hasty.token })).status).toBe(200);
    expect((await me(hasty.token)).status).toBeGreaterThanOrEqual(401);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
