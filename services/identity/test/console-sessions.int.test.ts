import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';

const idleSeconds = 600;
let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity({ CONSOLE_IDLE_SECONDS: String(idleSeconds) })));
afterAll(() => identity.close());

const session = '/v1/auth/console/session';
const origin = 'https://shop.example';
const keep = (refreshToken: string, headers: Record<string, string> = { origin }) =>
  identity.call('POST', session, { body: { refreshToken }, headers });
const refresh = (cookie: string) =>
  identity.call('POST', '/v1/auth/console/refresh', { headers: { origin, cookie: `theme=dark; ${cookie}` } });
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie') ?? '';
const pairOf = (cookie: string) => cookie.split(';')[0] ?? '';
const isAlive = async (accessToken: string) =>
  (await identity.call('GET', '/v1/auth/sessions', { as: accessToken })).body.data.length;

it('keeps the refresh token of a login in a cookie that no script reads, and shows it nowhere', async () => {
  const { refreshToken } = await identity.member('ada@console.example');
  const kept = await keep(refreshToken);
  expect(kept).toMatchObject({ status: 200, body: { tokenType: 'Bearer', expiresIn: 900, idleSeconds } });
  expect(Object.keys(kept.body).sort()).toEqual(['accessToken', 'expiresIn', 'idleSeconds', 'tokenType']);
  expect(cookieOf(kept)).toMatch(
    /^storefront-console=rt_[\w-]{64}; Path=\/v1\/auth\/console; Max-Age=600; HttpOnly; SameSite=Strict; Secure$/,
  );
  const next = await refresh(pairOf(cookieOf(kept)));
  expect([next.status, Object.keys(next.body)]).toEqual([200, Object.keys(kept.body)]);
  expect(pairOf(cookieOf(next))).not.toBe(pairOf(cookieOf(kept)));
});

it('lets the cookie be sent without TLS only where the page came without', async () => {
  const { refreshToken } = await identity.member('plain@console.example');
  const kept = await keep(refreshToken, { origin: 'http://localhost:3000' });
  expect(cookieOf(kept)).not.toContain('Secure');
});

it('ends the session where a token of the cookie is sent by anything but the console', async () => {
  const { refreshToken } = await identity.member('stolen@console.example');
  const kept = await keep(refreshToken);
  const [, stolen = ''] = pairOf(cookieOf(kept)).split('=');
  expect(await identity.post('/v1/auth/refresh', { refreshToken: stolen })).toMatchObject({
    status: 401,
    body: { code: 'invalid_refresh_token' },
  });
  const refused = await refresh(pairOf(cookieOf(kept)));
  expect([refused.status, cookieOf(refused)]).toEqual([401, expect.stringContaining('Max-Age=0')]);
});

it('ends the session where the token that a script has seen is sent again', async () => {
  const { refreshToken } = await identity.member('seen@console.example');
  const kept = await keep(refreshToken);
  expect((await keep(refreshToken)).status).toBe(401);
  expect((await refresh(pairOf(cookieOf(kept)))).status).toBe(401);
});

it('answers two tabs that refresh at once', async () => {
  const { refreshToken } = await identity.member('tabs@console.example');
  const cookie = pairOf(cookieOf(await keep(refreshToken)));
  const [one, two] = [await refresh(cookie), await refresh(cookie)];
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(pairOf(cookieOf(two))).toBe(pairOf(cookieOf(one)));
});

it('ends the session of a console that was left alone, and no other one', async () => {
  const { email, refreshToken } = await identity.member('idle@console.example');
  const { body: other } = await identity.post('/v1/auth/login', { email, password: 'a quiet lake in the morning' });
  const cookie = pairOf(cookieOf(await keep(refreshToken)));
  identity.advance(idleSeconds + 1);
  expect((await refresh(cookie)).status).toBe(401);
  expect((await identity.post('/v1/auth/refresh', { refreshToken: other.refreshToken })).status).toBe(200);
});

it('ends the session in the cookie, and answers alike where there is none', async () => {
  const { refreshToken, accessToken } = await identity.member('end@console.example');
  const cookie = pairOf(cookieOf(await keep(refreshToken)));
  expect(await isAlive(accessToken)).toBe(1);
  for (const sent of [cookie, cookie, 'storefront-console=x', 'other=1']) {
    const ended = await identity.call('DELETE', session, { headers: { origin, cookie: sent } });
    expect([ended.status, cookieOf(ended)]).toEqual([
      204,
      expect.stringContaining('=; Path=/v1/auth/console; Max-Age=0'),
    ]);
  }
  expect(await isAlive(accessToken)).toBe(0);
  expect((await refresh(cookie)).status).toBe(401);
});

it('leaves the sessions of clients as they were, and takes none of them from a cookie', async () => {
  const { refreshToken } = await identity.member('client@console.example');
  const { body } = await identity.post('/v1/auth/refresh', { refreshToken });
  expect((await refresh(`storefront-console=${body.refreshToken}`)).status).toBe(401);
});
