import { randomBytes } from 'node:crypto';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { someone, startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { bearer, startGateway } from './support/gateway.ts';

const path = '/v1/notifications/stream';
const take = '/internal/stream-tickets/take';
const origin = 'https://shop.example';
let fake: FakeBus;
let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
/** What each unused ticket opens. */
let tickets: Map<string, ReturnType<typeof someone>>;
/** The URLs of the streams as engagement got them, and whose they are. */
let opened: { url: string; sub: string | undefined }[];

const begin = async (settings: Record<string, string> = {}) => {
  gateway = await startGateway(identity, fake, {
    UPSTREAM_ENGAGEMENT: identity.url,
    CORS_ORIGINS: origin,
    LOG_LEVEL: 'debug',
    ...settings,
  });
  fake.keepFresh();
  await eventually(async () => (await fetch(`${gateway.url}/readyz`)).status === 200, 'the gateway to be ready');
};

beforeEach(async () => {
  fake = createFakeBus();
  tickets = new Map();
  opened = [];
  identity = await startFakeIdentity((app) => {
    app.post<{ Body: { ticket: string } }>(take, (request, reply) => {
      const owner = tickets.get(request.body.ticket);
      tickets.delete(request.body.ticket);
      return owner ? { ...owner, expiresIn: 900 } : reply.code(404).send({});
    });
    app.get(path, (request, reply) => {
      opened.push({ url: request.url, sub: claimsOf(request.headers['x-internal-token']).sub });
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.raw.write('data: first\n\n');
    });
  });
});
afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

const newTicket = () => `ticket_${randomBytes(32).toString('base64url')}`;
function ticketOf(owner = someone()): string {
  const ticket = newTicket();
  tickets.set(ticket, owner);
  return ticket;
}

async function open(query: string, init: RequestInit = {}) {
  const response = await fetch(`${gateway.url}${path}?${query}`, init);
  const body = response.status === 200 ? null : ((await response.json()) as { code: string; instance: string });
  return { response, status: response.status, code: body?.code, body };
}

describe('a ticket in the query', () => {
  it('opens the stream for a page of an allowed origin, and reaches neither the service nor a log', async () => {
    await begin();
    const user = someone();
    const ticket = ticketOf(user);
    const { response } = await open(`lastEventId=a.b&ticket=${ticket}`, { headers: { origin } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(opened).toEqual([{ url: `${path}?lastEventId=a.b`, sub: user.sub }]);
    const again = await open(`ticket=${ticket}`, { headers: { origin } });
    expect([again.status, again.code, again.body?.instance]).toEqual([401, 'invalid_token', path]);
    expect(again.response.headers.get('access-control-allow-origin')).toBe(origin);
    await response.body?.cancel();
    await eventually(() => gateway.lines.some((line) => line.includes(path)), 'the log line of the request');
    expect(gateway.lines.join()).not.toContain(ticket);
  });

  it.each(['', 'x', 'ticket_', `ticket_${'é'.repeat(43)}`, `ticket_${'a'.repeat(5000)}`])(
    'that is malformed is 401, and identity is not asked: %#',
    async (ticket) => {
      await begin();
      expect(await open(`ticket=${ticket}`)).toMatchObject({ status: 401, code: 'invalid_token' });
      const [one, other] = [ticketOf(), ticketOf()];
      expect(await open(`ticket=${one}&ticket=${other}`)).toMatchObject({ status: 401, code: 'invalid_token' });
      expect([identity.asked.includes(take), opened, tickets.size]).toEqual([false, [], 2]);
    },
  );

  it('is not looked at beside a bearer token, nor on any other operation', async () => {
    await begin();
    const ticket = ticketOf();
    expect((await open(`ticket=${ticket}`, bearer('a.b.c'))).status).toBe(401);
    const { response } = await open(`ticket=${ticket}`, bearer(await identity.sign(someone())));
    expect(response.status).toBe(200);
    await response.body?.cancel();
    identity.reached.length = 0;
    for (const other of ['/v1/users/me', '/v1/notifications', '/v1/auth/sessions'])
      await fetch(`${gateway.url}${other}?ticket=${ticket}`);
    await fetch(`${gateway.url}/v1/auth/logout?ticket=${ticket}`, { method: 'POST' });
    expect(identity.reached.map(({ headers }) => claimsOf(headers['x-internal-token']).sub)).toEqual(
      Array.from({ length: 3 }, () => 'anonymous'),
    );
    expect(identity.asked).not.toContain(take);
    expect(tickets.size).toBe(1);
  });

  it('of a session that was logged out is 401; a stream that it opened ends at the logout', async () => {
    await begin();
    const user = someone();
    const [late, early] = [ticketOf(user), ticketOf(user)];
    const { response } = await open(`ticket=${early}`);
    const over = response.text();
    fake.revoke(user.sub, 2);
    expect(await over).toBe('data: first\n\n');
    expect(await open(`ticket=${late}`)).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(opened).toHaveLength(1);
  });

  it('is checked with identity while revocations may be missing, and is 503 where identity does not answer', async () => {
    await begin({ UPSTREAM_RETRY_MS: '1' });
    fake.lose();
    const user = someone();
    identity.endedSessions.add(user.sid);
    expect((await open(`ticket=${ticketOf(user)}`)).status).toBe(401);
    const unused = ticketOf();
    await identity.stop();
    expect(await open(`ticket=${unused}`)).toMatchObject({ status: 503, code: 'revocation_unknown' });
    expect(opened).toEqual([]);
  });

  it('counts against its address before identity is asked, and then against its user', async () => {
    await begin({ RATE_LIMITS: 'on', RATE_LIMIT_IP: '4', MAX_USER_STREAMS: '1' });
    const user = someone();
    const { response } = await open(`ticket=${ticketOf(user)}`);
    expect(response.headers.get('ratelimit-policy')).toBe('"ip";q=4;w=60, "user";q=600;w=60');
    expect(await open(`ticket=${ticketOf(user)}`)).toMatchObject({ status: 429, code: 'too_many_at_once' });
    const statuses = [];
    for (let guess = 0; guess < 3; guess += 1) statuses.push((await open(`ticket=${newTicket()}`)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect(identity.asked.filter((asked) => asked === take)).toHaveLength(4);
    await response.body?.cancel();
  });
});

function claimsOf(token: unknown): { sub?: string } {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as { sub?: string };
}
