import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';
import { sendRaw } from './support/raw.ts';

let folder: string;
let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let plain: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(join(folder, 'assets/index-a1b2.js'), 'export {};');
  await writeFile(join(folder, 'theme.js'), '// theme');
  await writeFile(join(folder, 'mail.html'), '<!doctype html><title>Mail</title><script>show()</script>');
  await writeFile(join(folder, 'manifest.json'), '{}');
  identity = await startFakeIdentity();
  gateway = await startGateway(identity, createFakeBus(), { CONSOLE_DIR: folder });
  plain = await startGateway(identity, createFakeBus());
});
afterAll(async () => {
  await Promise.all([gateway.close(), plain.close(), identity.stop()]);
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });

it.each(['/console', '/console/', '/console/orders', '/console/orders/ord_1?status=placed', '/console/a.b/c'])(
  'shows a page of the console at %s, also when it is loaded again',
  async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('<title>Console</title>');
  },
);

it('allows the pages no script, style or frame but their own', async () => {
  const { headers } = await get('/console');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual([
    "default-src 'self'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' blob:",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it('allows the page of a mail its own script alone, no origin, and a frame of the console', async () => {
  const { headers } = await get('/console/mail.html');
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update('show()').digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src https: data:',
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "form-action 'none'",
    'sandbox allow-scripts',
  ]);
});

it('lets browsers keep what has a hash in its name, and nothing else', async () => {
  const kept = await get('/console/assets/index-a1b2.js');
  expect([kept.status, kept.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await get('/console/theme.js')).headers.get('cache-control')).toBe('no-cache');
});

it('sends files compressed to those who take that', async () => {
  const zipped = await get('/console/assets/index-a1b2.js', { 'accept-encoding': 'gzip' });
  expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['gzip', 'export {};']);
  const asItIs = await get('/console/assets/index-a1b2.js', { 'accept-encoding': 'identity' });
  expect([asItIs.headers.get('content-encoding'), await asItIs.text()]).toEqual([null, 'export {};']);
});

it('answers a file of another version with 404, and gives nothing but what was built', async () => {
  expect((await get('/console/assets/index-old1.js')).status).toBe(404);
  for (const path of ['/console/manifest.json', '/console/%2e%2e/package.json', '/console/..%2fpackage.json']) {
    expect(await (await get(path)).text(), path).not.toMatch(/^\{\}|"name"/);
  }
  const raw = await sendRaw(
    gateway.url,
    'GET /console/../package.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(raw).not.toContain('"name"');
});

it('takes nothing, and is not there where it was not built', async () => {
  expect((await fetch(`${gateway.url}/console`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${plain.url}/console`)).status).toBe(404);
});

it('lets only its own pages act on the cookie, however they name themselves', async () => {
  const call = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/v1/auth/console/refresh`, {
      method: 'POST',
      headers: { cookie: 'storefront-console=x', ...headers },
    });
  const strangers: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: `${gateway.url}.evil.example` },
    { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'x-forwarded-host': 'evil.example' },
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  ];
  const before = identity.reached.length;
  for (const headers of strangers) {
    const answer = await call(headers);
    expect([answer.status, ((await answer.json()) as { code: string }).code], JSON.stringify(headers)).toEqual([
      403,
      'other_origin',
    ]);
  }
  expect(identity.reached.length).toBe(before);
  expect((await call({ origin: gateway.url })).status).toBe(200);
  const sent = identity.reached.at(-1)?.headers;
  expect([sent?.cookie, sent?.origin]).toEqual(['storefront-console=x', gateway.url]);
});

it('sends cookies to no other operation', async () => {
  await fetch(`${gateway.url}/v1/auth/refresh`, {
    method: 'POST',
    headers: { cookie: 'storefront-console=x', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(identity.reached.at(-1)?.headers.cookie).toBeUndefined();
});
