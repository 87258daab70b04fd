import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';
import { sendRaw, statuses } from './support/raw.ts';

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  identity = await startFakeIdentity();
  // What it forwards to engagement arrives at the same server.
  gateway = await startGateway(identity, createFakeBus(), { UPSTREAM_ENGAGEMENT: identity.url });
});
afterAll(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});
beforeEach(() => {
  identity.reached.length = 0;
});

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (headers: string, body: string) => `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
const json = 'Content-Type: application/json';

describe('bytes that two programs could read differently reach no service', () => {
  it.each<[string, string, number]>([
    ['encoded slash', get('/v1/users%2fme'), 400],
    ['encoded backslash', get('/v1/users%5Cme'), 400],
    ['encoded dot segment', get('/v1/%2e%2e/internal/revocations'), 400],
    ['doubly encoded dot', get('/v1/%252e%252e/internal'), 400],
    ['encoded letter', get('/v1/%75sers/me'), 400],
    ['overlong UTF-8', get('/v1/users/me/%c0%af'), 400],
    ['null byte', get('/v1/users/me%00'), 400],
    ['null byte in the query', get('/v1/users/me?a=%00'), 400],
    ['Latin-1 in the query', get('/v1/users/me?q=%E9'), 400],
    ['broken escape in the query', get('/v1/users/me?q=%ZZ'), 400],
    ['backslash', get(String.raw`/v1/users\me`), 400],
    ['dot segment', get('/v1/auth/../users/me'), 400],
    ['dot at the end', get('/v1/auth/.'), 400],
    ['double slash', get('//v1/users/me'), 400],
    ['double slash inside', get('/v1//users/me'), 400],
    ['absolute form', get('http://evil.example/v1/users/me'), 400],
    ['asterisk form', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['fragment', get('/v1/users/me#a'), 400],
    ['raw control character', get('/v1/users/\x01me'), 400],
    ['raw tab', get('/v1/users\t/me'), 400],
    ['raw UTF-8', get('/v1/users/m\xc3\xa9'), 400],
    ['broken escape', get('/v1/users/%zz'), 400],
    ['unknown method', 'BREW /v1/users/me HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['TRACE', 'TRACE /v1/users/me HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['PROPFIND', 'PROPFIND /v1/users/me HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['no Host', 'GET /v1/users/me HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['length and chunks', post(`${json}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked`, '0\r\n\r\n'), 400],
    ['chunks and length', post(`${json}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4`, '0\r\n\r\n'), 400],
    ['two lengths', post(`${json}\r\nContent-Length: 2\r\nContent-Length: 2`, '{}'), 400],
    ['two different lengths', post(`${json}\r\nContent-Length: 2\r\nContent-Length: 3`, '{}'), 400],
    ['list of lengths', post(`${json}\r\nContent-Length: 2, 2`, '{}'), 400],
    ['signed length', post(`${json}\r\nContent-Length: +2`, '{}'), 400],
    ['negative length', post(`${json}\r\nContent-Length: -1`, '{}'), 400],
    ['length with letters', post(`${json}\r\nContent-Length: 2a`, '{}'), 400],
    ['unknown coding', post(`${json}\r\nTransfer-Encoding: identity`, '{}'), 400],
    ['coding in front of chunked', post(`${json}\r\nTransfer-Encoding: gzip, chunked`, '0\r\n\r\n'), 400],
    ['two codings', post(`${json}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x`, '0\r\n\r\n'), 400],
    ['space before the colon', post(`${json}\r\nContent-Length : 2`, '{}'), 400],
    ['folded header', post(`${json}\r\nX-A: b\r\n c: d\r\nContent-Length: 2`, '{}'), 400],
    ['bare line feeds', 'GET /v1/users/me HTTP/1.1\nHost: x\n\n', 400],
    ['bare carriage return', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nX-A: b\rX-C: d\r\n\r\n', 400],
    ['null byte in a header', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n', 400],
    ['chunk size that is none', post(`${json}\r\nTransfer-Encoding: chunked`, 'zz\r\n{}\r\n0\r\n\r\n'), 400],
    ['chunk with a bare line feed', post(`${json}\r\nTransfer-Encoding: chunked`, '2\n{}\r\n0\r\n\r\n'), 400],
    ['body of a GET', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc', 400],
    ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['large headers', `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['two content types', post(`${json}\r\nContent-Type: text/plain\r\nContent-Length: 2`, '{}'), 400],
  ])('%s', async (_what, bytes, status) => {
    const received = await sendRaw(gateway.url, bytes);
    expect(statuses(received)[0]).toBe(status);
    expect(received.toLowerCase()).toContain('content-type: application/problem+json');
    expect(received.toLowerCase()).toContain('connection: close');
    expect(received).toContain(`"status":${status},`);
    expect(identity.reached).toEqual([]);
  });

  it('nor does a second request that is hidden in a body', async () => {
    const hidden = 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const received = await sendRaw(gateway.url, post(`${json}\r\nContent-Length: ${hidden.length}`, hidden) + last);
    expect(statuses(received)).toEqual([400, 200]);
    expect(identity.reached).toEqual([]);
  });

  it('while a well-formed path with escapes is forwarded unchanged', async () => {
    await fetch(`${gateway.url}/v1/users/me/exports/caf%C3%A9%20x?q=a%2Fb%20c`);
    expect(identity.reached[0]?.url).toBe('/v1/users/me/exports/caf%C3%A9%20x?q=a%2Fb%20c');
  });
});

describe('a body', () => {
  const send = (body: string | Buffer, headers: Record<string, string>, path = '/v1/auth/login') =>
    fetch(gateway.url + path, { method: 'POST', body, headers });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'application/jsonp',
    'application/json; charset=utf-8; charset=utf-7',
    'multipart/form-data; boundary=a',
  ])('of type %s is refused', async (type) => {
    const response = await send('{}', { 'content-type': type });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
    expect(identity.reached).toEqual([]);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'of type %s is accepted',
    async (type) => {
      expect((await send('{"a":1}', { 'content-type': type })).status).toBe(200);
      expect(identity.reached[0]?.body).toEqual({ a: 1 });
    },
  );

  describe('that is a form', () => {
    const click = `/v1/notifications/unsubscribe/${'x'.repeat(64)}`;
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };

    it.each([
      'application/x-www-form-urlencoded',
      'Application/X-WWW-Form-Urlencoded; charset=UTF-8',
      'multipart/form-data; boundary=a',
    ])('of type %s is forwarded by an operation that takes one', async (type) => {
      // The server here knows no forms: its 415 shows that it got the type.
      const response = await send('List-Unsubscribe=One-Click', { 'content-type': type }, click);
      expect(await response.json()).toMatchObject({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' });
    });

    it('may have 4 KiB', async () => {
      expect((await send('x'.repeat(4097), urlencoded, click)).status).toBe(413);
      expect(await (await send('x'.repeat(4096), urlencoded, click)).json()).toMatchObject({
        code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
      });
    });

    it.each(['/v1/auth/login', '/v1/notifications/read-all', '/v1/nothing'])(
      'is refused by %s whatever its length',
      async (path) => {
        for (const length of [3, 300_000]) {
          const response = await send('x'.repeat(length), urlencoded, path);
          expect(response.status).toBe(415);
        }
        expect(identity.reached).toEqual([]);
      },
    );

    it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded, text/plain'])(
      'takes no other type: %s',
      async (type) => {
        const response = await send('a=b', { 'content-type': type }, click);
        expect(response.status).toBe(415);
        expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
      },
    );
  });

  describe('that is JSON called text', () => {
    it.each(['text/plain', 'Text/Plain;charset=UTF-8'])('of type %s is forwarded where it is taken', async (type) => {
      expect((await send('{"a":1}', { 'content-type': type }, '/v1/analytics/events')).status).toBe(200);
    });

    it.each(['text/plain; charset=utf-16', 'text/html', 'text/plain, application/json'])(
      'takes no other type: %s',
      async (type) => {
        expect((await send('{"a":1}', { 'content-type': type }, '/v1/analytics/events')).status).toBe(415);
      },
    );
  });

  it('without a type is refused', async () => {
    const response = await sendRaw(gateway.url, post('Content-Length: 2\r\nConnection: close', '{}'));
    expect(statuses(response)).toEqual([415]);
  });

  it('that is empty is no body', async () => {
    const response = await send('', { 'content-type': 'application/json' }, '/v1/auth/refresh');
    expect(response.status).toBe(200);
  });

  it.each([
    ['/v1/auth/login', 256, 200, 413],
    ['/v1/auth/register', 256, 200, 413],
  ])('of %s may have %i KiB', async (path, kib, _fits, tooLarge) => {
    const type = { 'content-type': 'application/json' };
    const fits = await send(`"${'x'.repeat(kib * 1024 - 2)}"`, type, path);
    expect(fits.status).not.toBe(413);
    expect(identity.reached.length + Number(fits.status >= 400)).toBe(1);
    const response = await send(`"${'x'.repeat(kib * 1024 - 1)}"`, type, path);
    expect(response.status).toBe(tooLarge);
    expect(await response.json()).toMatchObject({ code: 'body_too_large' });
  });

  it('in chunks has the same limit', async () => {
    const chunk = `${(200_000).toString(16)}\r\n${'x'.repeat(200_000)}\r\n`;
    const received = await sendRaw(gateway.url, post(`${json}\r\nTransfer-Encoding: chunked`, chunk + chunk));
    expect(statuses(received)).toEqual([413]);
  });

  it('that arrives slowly reaches a service when it is complete', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(post(`${json}\r\nContent-Length: 7`, '{"a"'));
    await wait(200);
    expect(identity.reached).toEqual([]);
    socket.write(':1}');
    const [answer] = await new Promise<Buffer[]>((done) => socket.once('data', (chunk: Buffer) => done([chunk])));
    socket.destroy();
    expect(answer?.toString()).toMatch(/^HTTP\/1\.1 200/);
    expect(identity.reached[0]?.body).toEqual({ a: 1 });
  });
});
