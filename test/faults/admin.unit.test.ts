import { expect, it } from 'vitest';
import { createAdmin } from './admin.ts';
import type { Client, Reply } from './client.ts';

it('logs in again where the answer is the one for everybody, as the token has expired', async () => {
  let logins = 0;
  const client: Pick<Client, 'call'> = {
    async call(_method, path, { token } = {}) {
      const [isLogin, isTokenIgnored] = [path === '/v1/auth/login', token === 'token 1'];
      if (isLogin) logins += 1;
      const body = isLogin ? { accessToken: `token ${logins}` } : { stock: isTokenIgnored ? 3 : 5 };
      const nothingElse = { code: undefined, gateway: 'one', uncertainTries: 0, retryAfterMs: 0 };
      return { status: 200, body, ...nothingElse, isTokenIgnored: !isLogin && isTokenIgnored };
    },
  };
  const admin = createAdmin(client as Client, { email: 'admin@example.com', password: 'a password' });
  const reads = ['one', 'two'].map((id) => admin.call('GET', `/v1/products/${id}`));
  expect((await Promise.all(reads)).map(({ body }) => body.stock)).toEqual([5, 5]);
  expect(logins).toBe(2);
});

it('logs in again where the token has expired between two tries, and keeps the key of the call', async () => {
  const sent: [path: string, token: string | undefined, key: string | undefined][] = [];
  let logins = 0;
  let valid = 'token 1';
  const replyOf = (status: number, body: object, uncertainTries: number): Reply => {
    return { status, code: undefined, body, gateway: 'one', uncertainTries, retryAfterMs: 0, isTokenIgnored: false };
  };
  const client: Pick<Client, 'call'> = {
    async call(_method, path, { token, key } = {}) {
      sent.push([path, token, key]);
      if (path === '/v1/auth/login') {
        logins += 1;
        return replyOf(200, { accessToken: `token ${logins}` }, 0);
      }
      return token === valid ? replyOf(201, {}, 1) : replyOf(401, {}, 2);
    },
  };
  const admin = createAdmin(client as Client, { email: 'admin@example.com', password: 'a password' });
  expect(await admin.call('POST', '/v1/invoices', { key: 'first' })).toMatchObject({ status: 201, uncertainTries: 1 });
  valid = 'token 2';
  expect(await admin.call('POST', '/v1/invoices', { key: 'second' })).toMatchObject({ status: 201, uncertainTries: 3 });
  valid = 'none';
  expect(await admin.call('POST', '/v1/invoices', { key: 'third' })).toMatchObject({ status: 401 });
  expect(sent).toEqual([
    ['/v1/auth/login', undefined, undefined],
    ['/v1/invoices', 'token 1', 'first'],
    ['/v1/invoices', 'token 1', 'second'],
    ['/v1/auth/login', undefined, undefined],
    ['/v1/invoices', 'token 2', 'second'],
    ['/v1/invoices', 'token 2', 'third'],
    ['/v1/auth/login', undefined, undefined],
    ['/v1/invoices', 'token 3', 'third'],
  ]);
});
