import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, signUp, type Person } from './system/people.ts';
import { sendRaw, statuses } from './system/raw.ts';
import { spellings } from './system/spellings.ts';
import { startSystem, type System } from './system/system.ts';

let system: System;
let user: Person;
let admin: Person;
/** Sends a header every second, without an end. Begun first, since only patience ends it. */
let endless: { socket: Socket; timer: NodeJS.Timeout; received: Promise<string> };

beforeAll(async () => {
  system = await startSystem('rawhttp');
  const { hostname, port } = new URL(system.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n');
  endless = { socket, timer: setInterval(() => socket.write('X-A: b\r\n'), 1000), received: text(socket) };
  user = await signUp(system, 'user');
  admin = await logIn(system, system.admin);
});
afterAll(async () => {
  clearInterval(endless?.timer);
  endless?.socket.destroy();
  await system?.close();
});

// For what ends its connection: however long it takes, nothing that comes before is missed.
const untilClosed = { quietMs: 60_000 };
const json = 'Content-Type: application/json';
const bearer = () => `Authorization: Bearer ${user.token}`;
const get = (target: string, ...lines: string[]) => ['GET', target, lines, ''] as const;
const post = (lines: string[], body: string) => ['POST', '/v1/customers', [json, ...lines], body] as const;
/** A request that would be answered, were it not for what is odd about it. */
const written = ([method, target, lines, body]: Odd) =>
  `${[`${method} ${target} HTTP/1.1`, 'Host: x', bearer(), ...lines].join('\r\n')}\r\n\r\n${body}`;
type Odd = readonly [method: string, target: string, lines: readonly string[], body: string];

/** What services, not the gateway, were asked while `attack` went on. */
async function reachedBy(attack: () => Promise<unknown>): Promise<string[]> {
  const before = system.reached().length;
  await attack();
  return system
    .reached()
    .slice(before)
    .map(({ method, route }) => `${method} ${route}`);
}

const hidden = 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\n\r\n';
const customer = '{"firstName":"A","lastName":"B"}';
const length = `Content-Length: ${customer.length}`;
const chunked = `${customer.length.toString(16)}\r\n${customer}\r\n0\r\n\r\n`;

describe('a request that two readers might read in two ways reaches no service', () => {
  it.each<[string, number, Odd]>([
    ['a length and chunks', 400, post([length, 'Transfer-Encoding: chunked'], chunked)],
    ['chunks and a length', 400, post(['Transfer-Encoding: chunked', length], chunked)],
    [
      'a length of 0 and a request in chunks',
      400,
      post(['Content-Length: 0', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
    ],
    ['two lengths that agree', 400, post([length, length], customer)],
    ['two lengths that differ', 400, post(['Content-Length: 0', length], customer)],
    ['a list of lengths', 400, post([`${length}, ${customer.length}`], customer)],
    ['a signed length', 400, post([`Content-Length: +${customer.length}`], customer)],
    ['a negative length', 400, post(['Content-Length: -1'], customer)],
    ['a length in hex', 400, post(['Content-Length: 0x20'], customer)],
    ['a length without digits', 400, post(['Content-Length: '], customer)],
    ['a length beyond all numbers', 400, post(['Content-Length: 99999999999999999999999'], customer)],
    ['identity as a coding', 400, post(['Transfer-Encoding: identity'], customer)],
    ['a coding in front of chunked', 400, post(['Transfer-Encoding: gzip, chunked'], chunked)],
    ['a coding behind chunked', 400, post(['Transfer-Encoding: chunked, identity'], chunked)],
    ['a coding like chunked', 400, post(['Transfer-Encoding: xchunked'], chunked)],
    ['chunked in quotes', 400, post(['Transfer-Encoding: "chunked"'], chunked)],
    ['chunked after a vertical tab', 400, post(['Transfer-Encoding: \x0bchunked'], chunked)],
    ['two codings', 400, post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunked)],
    ['chunked twice', 400, post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked)],
    ['a space before the colon', 400, post([`Content-Length : ${customer.length}`], customer)],
    ['a tab before the colon', 400, post(['Transfer-Encoding\t: chunked'], chunked)],
    ['a coding on a folded line', 400, post(['Transfer-Encoding:\r\n chunked'], chunked)],
    ['a folded line', 400, post([length, 'X-A: b\r\n Transfer-Encoding: chunked'], customer)],
    ['a line that begins with a space', 400, get('/v1/users/me', ' X-A: b')],
    ['a bare line feed', 400, post([`${length}\nX-A: b`], customer)],
    ['a bare carriage return', 400, post([`${length}\rX-A: b`], customer)],
    ['a null byte in a header', 400, get('/v1/users/me', 'X-A: b\0c')],
    ['a header without a name', 400, get('/v1/users/me', ': b')],
    ['a header without a colon', 400, get('/v1/users/me', 'X-A')],
    ['two Hosts', 400, get('/v1/users/me', 'Host: y')],
    ['two types of content', 400, post([length, 'Content-Type: text/plain'], customer)],
    ['a chunk whose size is none', 400, post(['Transfer-Encoding: chunked'], `zz\r\n${customer}\r\n0\r\n\r\n`)],
    ['a chunk whose size is signed', 400, post(['Transfer-Encoding: chunked'], `+20\r\n${customer}\r\n0\r\n\r\n`)],
    ['a chunk whose size is 0x20', 400, post(['Transfer-Encoding: chunked'], `0x20\r\n${customer}\r\n0\r\n\r\n`)],
    [
      'a chunk whose size overflows',
      400,
      post(['Transfer-Encoding: chunked'], `10000000000000020\r\n${customer}\r\n0\r\n\r\n`),
    ],
    ['a chunk with bare line feeds', 400, post(['Transfer-Encoding: chunked'], `20\n${customer}\n0\n\n`)],
    ['a chunk longer than it says', 400, post(['Transfer-Encoding: chunked'], `1f\r\n${customer}\r\n0\r\n\r\n`)],
    [
      'a chunk extension with a line feed',
      400,
      post(['Transfer-Encoding: chunked'], `20;a\nb\r\n${customer}\r\n0\r\n\r\n`),
    ],
    ['a body with a GET', 400, ['GET', '/v1/users/me', ['Content-Length: 3'], 'abc']],
    ['chunks with a GET', 400, ['GET', '/v1/users/me', ['Transfer-Encoding: chunked'], '0\r\n\r\n']],
    ['a body with a HEAD', 400, ['HEAD', '/v1/users/me', ['Content-Length: 3'], 'abc']],
    ...spellings.map(({ what, status, write }): [string, number, Odd] => {
      // At the end of `/v1/users/me` it would be a part of an id, which has a route.
      const path = what === 'a parameter at the end' ? '/v1/users/me/addresses' : '/v1/users/me';
      return [what, status, get(write(path))];
    }),
    ['an inner route', 404, get('/internal/revocations')],
    ['an inner route below a public one', 404, get('/v1/internal/revocations')],
    ['the document of a service', 404, get('/v1/auth/openapi.json')],
    ['TRACE', 405, ['TRACE', '/v1/users/me', [], '']],
    ['CONNECT', 405, ['CONNECT', '/v1/users/me', [], '']],
    ['PROPFIND', 405, ['PROPFIND', '/v1/users/me', [], '']],
    [
      'another method by a header',
      405,
      ['POST', '/v1/users/me', [json, 'X-HTTP-Method-Override: GET', 'Content-Length: 0'], ''],
    ],
    ['a method in small letters', 400, ['get', '/v1/users/me', [], '']],
    ['headers beyond 16 KiB', 431, get('/v1/users/me', `X-A: ${'a'.repeat(17_000)}`)],
    ['thousands of headers', 431, get('/v1/users/me', ...Array.from({ length: 3000 }, (_, at) => `X-${at}: a`))],
  ])('%s', async (what, status, odd) => {
    let received = '';
    const reached = await reachedBy(async () => {
      received = await sendRaw(system.url, written(odd));
    });
    // CONNECT asks for a tunnel: there is none, and nothing that could be answered over it.
    const expected = what === 'CONNECT' ? [[], [405], [400]] : [[status]];
    expect(expected, received.slice(0, 300)).toContainEqual(statuses(received).slice(0, 1));
    // What has a name that no route has may be asked of the service whose part of the names it is.
    expect(reached.filter((asked) => !asked.endsWith('undefined'))).toEqual([]);
    expect(received).not.toContain(user.email);
  });

  it('no Host, and HTTP of other versions', async () => {
    for (const bytes of [
      `GET /v1/users/me HTTP/1.1\r\n${bearer()}\r\n\r\n`,
      `GET /v1/users/me HTTP/2.0\r\nHost: x\r\n${bearer()}\r\n\r\n`,
      `GET /v1/users/me HTTP/1.2\r\nHost: x\r\n${bearer()}\r\n\r\n`,
      `POST /v1/customers HTTP/1.0\r\nHost: x\r\n${bearer()}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
      `GET /v1/users/me HTTP/0.9\r\nHost: x\r\n${bearer()}\r\n\r\n`,
      `GET /v1/users/me\r\n\r\n`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
      `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03`,
      `GET /v1/users/me HTTP/1.1\nHost: x\n${bearer()}\n\n`,
    ]) {
      let received = '';
      const reached = await reachedBy(async () => {
        received = await sendRaw(system.url, bytes, { patienceMs: 500 });
      });
      expect(
        statuses(received).filter((status) => status < 400),
        bytes,
      ).toEqual([]);
      expect(reached, bytes).toEqual([]);
    }
  });
});

describe('a second request hidden behind a first', () => {
  const secret = 'GET /v1/trade-accounts HTTP/1.1\r\nHost: x\r\n\r\n';

  it.each<[string, (body: string) => string[]]>([
    ['a length', (body) => [`Content-Length: ${body.length}`]],
    ['chunks', () => ['Transfer-Encoding: chunked']],
  ])('inside a body with %s is a body', async (how, lines) => {
    const body = how === 'chunks' ? `${secret.length.toString(16)}\r\n${secret}\r\n0\r\n\r\n` : secret;
    let received = '';
    const reached = await reachedBy(async () => {
      received = await sendRaw(system.url, written(post(lines(body), body)));
    });
    expect(statuses(received)).toEqual([400]);
    expect(reached).toEqual(['POST /v1/customers']);
  });

  it('after one that was not understood is never read', async () => {
    for (const odd of [
      post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${secret}`),
      post(['Content-Length: 4', 'Content-Length: 0'], `abcd${secret}`),
      get('/v1/../users/me', `X-A: b\r\n\r\n${secret}`),
      ['TRACE', '/v1/users/me', ['Content-Length: 0'], secret],
    ] as Odd[]) {
      let received = '';
      const reached = await reachedBy(async () => {
        received = await sendRaw(system.url, written(odd));
      });
      expect(statuses(received).length, received).toBe(1);
      expect(reached).toEqual([]);
    }
  });

  it('in the open is a request of its own, without what the first one could', async () => {
    const first = written(get('/v1/users/me'));
    const second = 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(statuses(await sendRaw(system.url, first + second, untilClosed))).toEqual([200, 401]);
  });

  it('twenty in the open are answered in their order', async () => {
    const paths = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? '/v1/health' : '/v1/no-such-thing'));
    const heads = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`);
    const all = `${heads.join('\r\n')}Connection: close\r\n\r\n`;
    const expected = paths.map((path) => (path === '/v1/health' ? 200 : 404));
    expect(statuses(await sendRaw(system.url, all, untilClosed))).toEqual(expected);
  });
});

describe('headers that speak for somebody else', () => {
  const answered = async (...lines: string[]) =>
    sendRaw(system.url, `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`);

  it.each([
    'X-Internal-Token: x',
    'X-User-Id: user_01h455vb4pex5vsknk084sn02q',
    'X-User-Role: admin',
    'X-Tokens-Revoked: x',
    'X-Forwarded-User: admin',
    'X-Original-URL: /v1/health',
    'X-Rewrite-URL: /internal/revocations',
    'Forwarded: for=127.0.0.1;by=127.0.0.1',
    'X-Access-Token: x',
  ])('%s log nobody in', async (line) => {
    expect(statuses(await answered(line))).toEqual([401]);
  });

  it('revoke nobody: only identity may say whose tokens died', async () => {
    const lines = [`X-Tokens-Revoked: ${user.id} 999`, `X-Tokens-Revoked: ${admin.id} 999`];
    expect(statuses(await answered(bearer(), ...lines))).toEqual([200]);
    expect((await system.call('GET', '/v1/users/me', { token: user.token })).status).toBe(200);
    expect((await system.call('GET', '/v1/users/me', { token: admin.token })).status).toBe(200);
  });

  it.each([
    'X-Internal-Token',
    'X-Client-Ip',
    'Authorization',
    'Content-Length, Content-Type',
    'Host',
    'close, X-Internal-Token',
  ])('are not taken away by Connection: %s', async (named) => {
    const body = `${['POST /v1/customers HTTP/1.1', 'Host: x', bearer(), json, length, `Connection: ${named}`].join('\r\n')}\r\n\r\n${customer}`;
    expect(statuses(await sendRaw(system.url, body))).toEqual([201]);
  });

  it('change nothing about whose address a session is said to come from', async () => {
    const headers = {
      'x-client-ip': '6.6.6.6',
      'x-forwarded-for': '6.6.6.6',
      'x-real-ip': '6.6.6.6',
      'true-client-ip': '6.6.6.6',
      'cf-connecting-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
    };
    const { email, password } = user;
    const { body } = await system.call('POST', '/v1/auth/login', { body: { email, password }, headers });
    const sessions = await system.call('GET', '/v1/auth/sessions', { token: body.accessToken });
    expect(sessions.body.data.map(({ ip }: { ip: string }) => ip)).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('come back from a service to nobody outside', async () => {
    const received = await answered(bearer());
    expect(received).not.toMatch(/^(x-internal|x-tokens-revoked|x-powered-by|server):/im);
    const out = await system.call('POST', '/v1/auth/logout', { token: (await logIn(system, user)).token });
    expect(out.headers.get('x-tokens-revoked')).toBeNull();
    user = await logIn(system, user);
  });
});

describe('other ways in', () => {
  it.each(['websocket', 'h2c', 'TLS/1.0'])('Upgrade: %s opens none', async (protocol) => {
    const lines = ['Connection: Upgrade, HTTP2-Settings', `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const received = await sendRaw(system.url, written(get('/v1/users/me', ...lines)));
    expect(statuses(received).filter((status) => status === 101)).toEqual([]);
    expect(statuses(received).length).toBeLessThanOrEqual(1);
  });

  it('Expect: 100-continue is no way around the limit of a body', async () => {
    const lines = ['Expect: 100-continue', `Content-Length: ${300 * 1024}`];
    const received = await sendRaw(system.url, written(post(lines, '')), untilClosed);
    expect(statuses(received).at(-1)).toBe(413);
  });

  it('HEAD reveals no more than GET', async () => {
    const received = await sendRaw(system.url, written(['HEAD', '/v1/users/me', ['Connection: close'], '']));
    expect(statuses(received)).toEqual([200]);
    expect(received.split('\r\n\r\n', 2)[1]).toBe('');
    const anonymous = await sendRaw(system.url, 'HEAD /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(statuses(anonymous)).toEqual([401]);
  });
});

it('a request whose head never ends is ended', async () => {
  const received = await endless.received;
  expect(statuses(received)).toEqual([408]);
  expect(received).toContain('"code":"request_timeout"');
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
