import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto';
import { createInternalTokenIssuer, newSigningKey } from '@storefront/access-token';
import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unseal } from '../../services/identity/src/secrets/seal.ts';
import { openSecrets } from '../../stack/src/secrets.ts';
import type { Seen } from './system/leaks.ts';
import {
  applyForTrade,
  claimsOf,
  expectStatus,
  judge,
  logIn,
  logInAgain,
  signUp,
  type Person,
} from './system/people.ts';
import { sendRaw, statuses } from './system/raw.ts';
import { startSystem, type System } from './system/system.ts';

let system: System;
let user: Person;
let admin: Person;
/** The very key that identity signs with: what it signs fails for nothing but what the token says. */
let genuine: { kid: string; key: KeyObject };
let publicJwk: { kid: string; x: string };
let internalKey: Awaited<ReturnType<typeof openSecrets>>['internalKey'];

beforeAll(async () => {
  system = await startSystem('tokens', {}, 'rabbitmq');
  user = await signUp(system, 'user');
  admin = await logIn(system, system.admin);
  const secrets = await openSecrets(system.dataDir);
  internalKey = secrets.internalKey;
  const sealing = hkdfSync('sha256', secrets.secret('signing keys'), '', 'storefront signing keys', 32);
  const ring = await system.database('identity').collection('signing_keys').findOne();
  const active = ring?.keys.find((key: { activeFrom: Date | null }) => key.activeFrom !== null);
  const jwk = (await unseal(active.sealed, new Uint8Array(sealing))) as object;
  genuine = { kid: active.kid, key: createPrivateKey({ key: { ...jwk }, format: 'jwk' }) };
  const { keys } = (await system.call('GET', '/.well-known/jwks.json')).body;
  publicJwk = keys.find((key: { kid: string }) => key.kid === active.kid);
});
afterAll(async () => {
  await system?.close();
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
const goodHeader = () => ({ alg: 'EdDSA', typ: 'at+jwt', kid: genuine.kid });
/** The claims of a token that is good in every way. */
const goodClaims = () => ({ ...claimsOf(user.token), jti: randomUUID(), iat: seconds(), exp: seconds() + 600 });

function signed(header: object, claims: object, signature: (input: string) => Buffer): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signature(input).toString('base64url')}`;
}
const byEd25519 = (key: KeyObject) => (input: string) => sign(null, Buffer.from(input), key);
const byGenuine = (header: object, claims: object) => signed(header, claims, byEd25519(genuine.key));

const me = (token: string) => system.call('GET', '/v1/users/me', { token });
const expectRefused = (answer: Seen, what = '') => {
  expect([answer.status, answer.body?.code], what).toEqual([401, 'invalid_token']);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
};

it('a token made in the same way, with nothing wrong, is taken', async () => {
  expect((await me(byGenuine(goodHeader(), goodClaims()))).status).toBe(200);
});

describe('signed by the genuine key, but', () => {
  const changes: [what: string, claims: () => object, header?: () => object][] = [
    ['expired', () => ({ exp: seconds() - 1, iat: seconds() - 901 })],
    ['expired for a year', () => ({ exp: seconds() - 31_536_000 })],
    ['not valid yet', () => ({ nbf: seconds() + 3600 })],
    ['without an end', () => ({ exp: undefined })],
    ['with an end that is text', () => ({ exp: String(seconds() + 600) })],
    ['for another audience', () => ({ aud: 'another-api' })],
    ['without an audience', () => ({ aud: undefined })],
    ['by another issuer', () => ({ iss: 'https://evil.example' })],
    ['without an issuer', () => ({ iss: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['with a subject that is an object', () => ({ sub: { $ne: null } })],
    ['with a role that does not exist', () => ({ role: 'root' })],
    ['with two roles', () => ({ role: ['retail', 'admin'] })],
    ['without a role', () => ({ role: undefined })],
    ['without a session', () => ({ sid: undefined })],
    ['without a version', () => ({ ver: undefined })],
    ['with a version that is text', () => ({ ver: '999' })],
    ['with a version that is no whole number', () => ({ ver: 1.5 })],
    ['without an identifier', () => ({ jti: undefined })],
    ['of an older version of the user', () => ({ ver: 0, iat: seconds() - 100_000, exp: seconds() + 600 })],
    ['of no type', () => ({}), () => ({ alg: 'EdDSA', kid: genuine.kid })],
    ['of the type JWT', () => ({}), () => ({ ...goodHeader(), typ: 'JWT' })],
    ['of the type of internal tokens', () => ({}), () => ({ ...goodHeader(), typ: 'internal+jwt' })],
    ['with an extension that must be understood', () => ({}), () => ({ ...goodHeader(), crit: ['b64'], b64: false })],
    ['under an unknown key', () => ({}), () => ({ ...goodHeader(), kid: 'unknown' })],
    ['under a path for a key', () => ({}), () => ({ ...goodHeader(), kid: '../../../../dev/null' })],
    ['under a query for a key', () => ({}), () => ({ ...goodHeader(), kid: "' OR 1=1 --" })],
    ['under an object for a key', () => ({}), () => ({ ...goodHeader(), kid: { $ne: null } })],
    ['said to be RS256', () => ({}), () => ({ ...goodHeader(), alg: 'RS256' })],
    ['said to be eddsa', () => ({}), () => ({ ...goodHeader(), alg: 'eddsa' })],
    ['said to be of no algorithm', () => ({}), () => ({ typ: 'at+jwt', kid: genuine.kid })],
  ];
  it.each(changes)('%s', async (_what, claims, header = goodHeader) => {
    expectRefused(await me(byGenuine(header(), { ...goodClaims(), ...claims() })));
  });

  it('of a session and a user that do not exist reads nothing', async () => {
    const answer = await me(byGenuine(goodHeader(), { ...goodClaims(), sub: newId('user'), sid: newId('sess') }));
    expect(answer.status).toBe(404);
  });
});

describe('forged:', () => {
  it('by another key under the genuine name', async () => {
    const { privateJwk } = await newSigningKey();
    const other = createPrivateKey({ key: { ...privateJwk }, format: 'jwk' });
    expectRefused(await me(signed(goodHeader(), goodClaims(), byEd25519(other))));
    expectRefused(await me(signed({ ...goodHeader(), kid: undefined }, goodClaims(), byEd25519(other))), 'no kid');
  });

  it('by a key that the token brings along', async () => {
    const { privateJwk, kid } = await newSigningKey();
    const other = createPrivateKey({ key: { ...privateJwk }, format: 'jwk' });
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: privateJwk.x, kid };
    const certificate = Buffer.from('certificate').toString('base64');
    for (const brought of [
      { jwk },
      { jwk, kid: undefined },
      { jku: 'https://evil.example/jwks.json' },
      { jku: `${system.url}/v1/../jwks.json`, kid },
      { x5u: 'https://evil.example/cert.pem' },
      { x5c: [certificate] },
      { jwk, jku: 'https://evil.example/jwks.json', kid },
    ]) {
      const token = signed({ ...goodHeader(), ...brought }, goodClaims(), byEd25519(other));
      expectRefused(await me(token), JSON.stringify(brought));
    }
  });

  it.each(['none', 'None', 'NONE', 'nOnE', ''])('with the algorithm "%s"', async (alg) => {
    const token = `${encode({ ...goodHeader(), alg })}.${encode({ ...goodClaims(), role: 'admin' })}.`;
    expectRefused(await me(token));
    expectRefused(await me(`${token}AA`));
  });

  it.each(['HS256', 'HS384', 'HS512'])('with the public key as a secret of %s', async (alg) => {
    const { x } = publicJwk;
    const secrets = [x, Buffer.from(x, 'base64url'), JSON.stringify(publicJwk), genuine.kid, '', 'secret'];
    for (const secret of secrets) {
      const mac = (input: string) => createHmac(alg.replace('HS', 'sha'), secret).update(input).digest();
      expectRefused(await me(signed({ ...goodHeader(), alg }, goodClaims(), mac)));
    }
  });

  it.each([
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['PS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ])('with a key of its own of %s', async (alg, make) => {
    const key = make();
    expectRefused(
      await me(signed({ ...goodHeader(), alg }, goodClaims(), (input) => sign('sha256', Buffer.from(input), key))),
    );
  });

  it('by changing what a genuine one says', async () => {
    const [header, , signature] = user.token.split('.');
    for (const claims of [
      { ...claimsOf(user.token), role: 'admin' },
      { ...claimsOf(user.token), sub: admin.id },
      { ...claimsOf(user.token), ver: 99 },
    ])
      expectRefused(await me(`${header}.${encode(claims)}.${signature}`));
    expectRefused(await me(`${user.token}A`));
    expectRefused(await me(user.token.slice(0, -4)));
    expectRefused(await me(user.token.split('.').slice(0, 2).join('.')));
    expectRefused(await me(`${user.token}.${signature}`));
  });
});

describe('another kind of token:', () => {
  it('a refresh token in place of an access token', async () => {
    expectRefused(await me(user.refreshToken));
  });

  it('an access token in place of a refresh token', async () => {
    const answer = await system.call('POST', '/v1/auth/refresh', { body: { refreshToken: user.token } });
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_refresh_token']);
  });

  it("the gateway's own word from outside, as a bearer token or as its header", async () => {
    const word = createInternalTokenIssuer(internalKey.privateJwk);
    const claims = { sub: admin.id, role: 'admin', sid: newId('sess'), ver: 1 } as const;
    const token = await word.issue('identity', claims);
    expectRefused(await me(token));
    const headers = { 'x-internal-token': token };
    for (const path of ['/v1/users/me', '/v1/trade-accounts'])
      expect((await system.call('GET', path, { headers })).status).toBe(401);
  });

  it("an access token, or the gateway's word to another service, at a service's own door", async () => {
    const claims = { sub: admin.id, role: 'admin', sid: newId('sess'), ver: 1 } as const;
    const word = createInternalTokenIssuer(internalKey.privateJwk);
    const stranger = createInternalTokenIssuer((await newSigningKey()).privateJwk);
    const tokens = [
      undefined,
      '',
      admin.token,
      await word.issue('catalog', claims),
      await stranger.issue('identity', claims),
      byGenuine(
        { ...goodHeader(), typ: 'internal+jwt' },
        { ...goodClaims(), aud: 'identity', iss: 'storefront-gateway' },
      ),
    ];
    for (const path of ['/v1/users/me', '/internal/revocations', `/internal/token-state/${user.id}/${newId('sess')}`]) {
      for (const token of tokens) {
        const answer = await fetch(new URL(path, system.services.identity), {
          headers: {
            authorization: `Bearer ${admin.token}`,
            ...(token === undefined ? {} : { 'x-internal-token': token }),
          },
        });
        expect([answer.status, ((await answer.json()) as any).code], `${path} ${token}`).toEqual([403, 'gateway_only']);
      }
    }
  });
});

describe('a ticket of the live stream', () => {
  const stream = '/v1/notifications/stream';
  const open = (ticket: string) => system.call('GET', `${stream}?ticket=${ticket}`, { stream: true });
  const ticketOf = async ({ token }: Person): Promise<string> =>
    (await expectStatus(system.call('POST', '/v1/notifications/stream-tickets', { token }), 201)).ticket;

  it('opens one stream, however many use it at once', async () => {
    const ticket = await ticketOf(user);
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(ticket)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectRefused(answer);
    expectRefused(await open(ticket), 'used again');
  });

  it('is good for nothing else', async () => {
    const ticket = await ticketOf(admin);
    for (const path of ['/v1/users/me', '/v1/notifications', '/v1/trade-accounts', '/v1/auth/sessions'])
      expect((await system.call('GET', `${path}?ticket=${ticket}`)).status, path).toBe(401);
    expect((await system.call('POST', `/v1/notifications/stream-tickets?ticket=${ticket}`)).status).toBe(401);
    expectRefused(await me(ticket));
    expectRefused(await system.call('GET', stream, { token: ticket }));
    const headers = { 'x-ticket': ticket, cookie: `ticket=${ticket}` };
    expect((await system.call('GET', stream, { headers })).status).toBe(401);
    expect((await open(ticket)).status).toBe(200);
  });

  it('that nobody was given, or that is a token of another kind, is refused', async () => {
    const ticket = await ticketOf(user);
    const stored = await system.database('identity').collection('stream_tickets').findOne({ userId: user.id });
    for (const forged of [
      ticket.slice(0, -1),
      ticket.toUpperCase(),
      `${ticket}%20`,
      `${ticket}&ticket=${await ticketOf(user)}`,
      String(stored?._id),
      `ticket_${String(stored?._id)}`,
      user.token,
      user.refreshToken,
      '{"$ne":null}',
      '',
    ])
      expectRefused(await open(forged), forged);
  });

  it('ends with the session that asked for it, and so does the stream that it opened', async () => {
    const leaving = await logIn(system, user);
    const [early, late] = [await ticketOf(leaving), await ticketOf(leaving)];
    const response = await fetch(`${system.url}${stream}?ticket=${early}`);
    expect(response.status).toBe(200);
    const over = response.text();
    const session = String(claimsOf(leaving.token)['sid']);
    await expectStatus(system.call('DELETE', `/v1/auth/sessions/${session}`, { token: leaving.token }), 204);
    expect(await over).toContain('event: unread-count');
    expectRefused(await open(late));
    expect((await open(await ticketOf(user))).status, 'another session of the same user').toBe(200);
  });
});

describe('the Authorization header', () => {
  const raw = (...lines: string[]) =>
    sendRaw(system.url, `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`);

  it('must come once', async () => {
    const bearer = () => `Authorization: Bearer ${user.token}`;
    for (const lines of [
      [bearer(), bearer()],
      [bearer(), `authorization: Bearer ${admin.token}`],
      ['Authorization: Basic YTpi', bearer()],
      [bearer(), 'Authorization:'],
    ])
      expect(statuses(await raw(...lines))).toEqual([401]);
  });

  it.each<[string, (token: string) => string]>([
    ['no scheme', (token) => token],
    ['another scheme', (token) => `Basic ${token}`],
    ['the scheme Token', (token) => `Token ${token}`],
    ['no space', (token) => `Bearer${token}`],
    ['two spaces', (token) => `Bearer  ${token}`],
    ['a tab', (token) => `Bearer\t${token}`],
    ['a comma and a second one', (token) => `Bearer ${token}, Bearer ${token}`],
    ['a comma at the end', (token) => `Bearer ${token},`],
    ['quotes', (token) => `Bearer "${token}"`],
    ['the scheme twice', (token) => `Bearer Bearer ${token}`],
    ['a parameter', (token) => `Bearer token=${token}`],
    ['nothing', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['null', () => 'Bearer null'],
    ['two dots', () => 'Bearer ..'],
    ['a long token', () => `Bearer ${'a'.repeat(5000)}.${'b'.repeat(5000)}.c`],
  ])('with %s is refused', async (_what, header) => {
    expect(statuses(await raw(`Authorization: ${header(user.token)}`))).toEqual([401]);
  });

  it('takes the scheme in any case, and spaces around it', async () => {
    expect(statuses(await raw(`Authorization:   bearer ${user.token}  `))).toEqual([200]);
  });

  it('is the only place for a token', async () => {
    for (const path of [`/v1/users/me?access_token=${user.token}`, `/v1/users/me?token=${user.token}`])
      expect((await system.call('GET', path)).status).toBe(401);
    const headers = { cookie: `access_token=${user.token}`, 'x-access-token': user.token, 'x-user-id': user.id };
    expect((await system.call('GET', '/v1/users/me', { headers })).status).toBe(401);
  });

  it('that is not good is ignored on public routes, and said to be where a good one could have changed the answer', async () => {
    const anonymous = await system.call('GET', '/v1/products');
    for (const token of ['not.a.token', byGenuine(goodHeader(), { ...goodClaims(), exp: seconds() - 1 })]) {
      const products = await system.call('GET', '/v1/products', { token });
      expect([products.status, products.headers.get('x-token-ignored')]).toEqual([200, 'true']);
      expect(products.body).toEqual(anonymous.body);
      const keys = await system.call('GET', '/.well-known/jwks.json', { token });
      expect([keys.status, keys.headers.get('x-token-ignored')]).toEqual([200, null]);
    }
    const good = await system.call('GET', '/v1/products', { token: user.token });
    expect([good.status, good.headers.get('x-token-ignored')]).toEqual([200, null]);
  });

  it('that is not good shows no trade prices, whatever it claims', async () => {
    const price = { amount: 1000, currency: 'EUR' };
    const product = { sku: 'TRADE-1', name: 'Tea', price, tradePrice: { ...price, amount: 700 } };
    await expectStatus(system.call('POST', '/v1/products', { token: admin.token, body: product }), 201);
    const { privateJwk } = await newSigningKey();
    const other = createPrivateKey({ key: { ...privateJwk }, format: 'jwk' });
    for (const role of ['trade', 'admin']) {
      const forged = signed(goodHeader(), { ...goodClaims(), role }, byEd25519(other));
      const { status, text } = await system.call('GET', '/v1/products', { token: forged });
      expect([status, text.includes('TRADE-1'), text.includes('tradePrice')]).toEqual([200, true, false]);
    }
    const genuine = await system.call('GET', '/v1/products', { token: admin.token });
    expect(genuine.text).toContain('tradePrice');
  });
});

describe('the session of an applicant who was asked for more', () => {
  it('stays limited when it is refreshed, until the account is approved', async () => {
    const applied = await applyForTrade(system, admin, 'limited');
    await judge(system, admin, applied.id, 'request-info');
    const limited = await logIn(system, applied);
    const refresh = async (refreshToken: string) =>
      expectStatus(system.call('POST', '/v1/auth/refresh', { body: { refreshToken } }), 200);
    const refreshed = await refresh(limited.refreshToken);
    for (const token of [limited.token, refreshed.accessToken])
      expect([claimsOf(token).role, (await me(token)).body.code]).toEqual(['applicant', 'session_limited']);

    const body = { note: 'The number is in the register now.' };
    const resubmit = { token: refreshed.accessToken, body };
    await expectStatus(system.call('POST', '/v1/trade-accounts/me/resubmit', resubmit), 200);
    const early = await system.call('POST', '/v1/auth/refresh', { body: { refreshToken: refreshed.refreshToken } });
    expect(early.status).toBe(401);
    await judge(system, admin, applied.id, 'approve');
    expect((await me(refreshed.accessToken)).status).not.toBe(200);
    const { token } = await logIn(system, applied);
    expect([claimsOf(token).role, (await me(token)).status]).toEqual(['trade', 200]);
  });
});

describe('revoked:', () => {
  it('by logging out, at once, with every session of the user', async () => {
    const second = await logIn(system, user);
    expect((await system.call('POST', '/v1/auth/logout', { token: user.token })).status).toBe(200);
    expectRefused(await me(user.token));
    // A second logout with the dead token ends nothing, and the dead token does not keep its owner from logging in.
    expectRefused(await system.call('POST', '/v1/auth/logout', { token: user.token }));
    const { email, password } = user;
    const login = { token: user.token, body: { email, password } };
    expect((await system.call('POST', '/v1/auth/login', login)).status).toBe(200);
    expectRefused(await me(second.token));
    const refreshed = await system.call('POST', '/v1/auth/refresh', { body: { refreshToken: second.refreshToken } });
    expect([refreshed.status, refreshed.body.code]).toEqual([401, 'invalid_refresh_token']);
    await logInAgain(system, user);
    expectRefused(await me(second.token));
  });

  it('by using a refresh token a third time', async () => {
    const refresh = (refreshToken: string) => system.call('POST', '/v1/auth/refresh', { body: { refreshToken } });
    const session = await logIn(system, user);
    const first = await refresh(session.refreshToken);
    expect(first.status).toBe(200);
    // A second tab, or a lost answer: the very same pair, once.
    expect((await refresh(session.refreshToken)).body).toEqual(first.body);
    expect((await refresh(session.refreshToken)).status).toBe(401);
    expectRefused(await me(session.token));
    expectRefused(await me(first.body.accessToken));
    expect((await refresh(first.body.refreshToken)).status).toBe(401);
  });

  it('nothing was revoked but that', async () => {
    expect((await me(user.token)).status).toBe(200);
  });
});

describe('an API token', () => {
  const newApiToken = async (scopes: readonly string[], more: object = {}) => {
    await logInAgain(system, admin);
    const body = { name: 'ERP', scopes, ...more };
    const made = await expectStatus(system.call('POST', '/v1/api-tokens', { token: admin.token, body }), 201);
    system.leaks.keepSecret(made.token);
    return made as { id: string; token: string };
  };
  const product = () => ({ sku: `P-${randomUUID()}`, name: 'A mug', price: { amount: 100, currency: 'EUR' } });
  const outcome = ({ status, body }: Seen) => [status, body?.code, body?.scope];

  it('does what its scopes say, and leaves its id in the audit log', async () => {
    const { id, token } = await newApiToken(['catalog:write']);
    const made = await expectStatus(system.call('POST', '/v1/products', { token, body: product() }), 201);
    for (const [method, path, scope] of [
      ['GET', '/v1/products?status=draft', 'catalog:read'],
      ['GET', `/v1/products/${made.id}`, 'catalog:read'],
      ['GET', '/v1/payments', 'billing:read'],
      ['GET', '/v1/users', 'users:read'],
      ['GET', '/v1/users/me', null],
      ['GET', '/v1/api-tokens', null],
      ['DELETE', `/v1/api-tokens/${id}`, null],
      ['POST', '/v1/auth/logout', null],
    ] as const)
      expect(outcome(await system.call(method, path, { token })), path).toEqual([403, 'scope_required', scope]);
    const entries = await eventually(async () => {
      const { data } = (await system.call('GET', `/v1/audit?object=${made.id}`, { token: admin.token })).body;
      return data.length > 0 ? data : null;
    }, 'the entry in the audit log');
    expect(entries).toMatchObject([{ action: 'product-created', who: { userId: id, role: 'program' } }]);
  });

  it('repeats nothing under the Idempotency-Key of another one', async () => {
    const [one, other] = [await newApiToken(['catalog:write']), await newApiToken(['catalog:write'])];
    const headers = { 'idempotency-key': `key-${randomUUID()}` };
    const body = product();
    const send = (token: string) => system.call('POST', '/v1/products', { token, headers, body });
    expect([(await send(one.token)).status, (await send(one.token)).status]).toEqual([201, 201]);
    expect(outcome(await send(other.token))).toEqual([409, 'sku_taken', undefined]);
  });

  it('is refused once it is revoked, has expired or is not one', async () => {
    const { id, token } = await newApiToken(['catalog:read']);
    const drafts = (as: string) => system.call('GET', '/v1/categories?limit=1', { token: as });
    expect((await drafts(token)).headers.get('x-token-ignored')).toBeNull();
    const users = (as: string) => system.call('GET', '/v1/users', { token: as });
    expect(outcome(await users(token))).toEqual([403, 'scope_required', 'users:read']);
    await expectStatus(system.call('DELETE', `/v1/api-tokens/${id}`, { token: admin.token }), 204);
    const short = await newApiToken(['users:read'], { expiresAt: new Date(Date.now() + 3000).toISOString() });
    for (const dead of [token, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, token.slice(0, -1)])
      expect(outcome(await users(dead))).toEqual([401, 'invalid_token', undefined]);
    expect((await drafts(token)).headers.get('x-token-ignored')).toBe('true');
    await eventually(async () => (await users(short.token)).status === 401, 'the token to have expired');
    for (const query of [`access_token=${short.token}`, `token=${short.token}`])
      expect([400, 401]).toContain((await system.call('GET', `/v1/users?${query}`)).status);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
