import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

let server: Server;
beforeEach(() => {
  server = newServer();
  server.app.get('/v1/admin', { config: { access: 'admin' } }, () => ({}));
  server.app.get('/internal/things', { config: { access: 'system' } }, () => ({}));
  server.app.get('/v1/broken', { config: { access: 'public' } }, () => {
    throw new Error('mongodb://user:password@secret-host');
  });
});
afterEach(() => server.app.close());

it('a route that does not say who may call it stops the start', () => {
  expect(() => server.app.get('/v1/forgotten', () => ({}))).toThrow('does not say who may call it');
});

it('nobody gets in past the gateway, and nobody gets more than their access', async () => {
  const status = async (url: string, headers: Record<string, string> = {}) =>
    (await server.app.inject({ url, headers })).statusCode;
  expect(await status('/v1/broken')).toBe(403);
  expect(await status('/v1/admin', { 'x-internal-token': 'forged' })).toBe(403);
  expect(await status('/v1/admin', await tokenOf('retail'))).toBe(403);
  expect(await status('/v1/admin', await tokenOf('admin'))).toBe(200);
  expect(await status('/v1/nowhere', await tokenOf('retail'))).toBe(404);
});

it('staff get what names their role, and count as everybody else where it does not', async () => {
  const { app } = server;
  app.get('/v1/stock', { config: { access: 'staff', roles: ['catalog'] } }, () => ({}));
  app.get('/v1/orders', { config: { access: 'user', roles: ['sales'] } }, ({ asStaff }) => ({ asStaff }));
  app.get('/v1/prices', { config: { access: 'public' } }, ({ asStaff }) => ({ asStaff }));
  const answers = async (role: Parameters<typeof tokenOf>[0]) => {
    const headers = await tokenOf(role);
    const urls = ['/v1/stock', '/v1/admin', '/v1/orders', '/v1/prices'];
    const all = await Promise.all(urls.map((url) => app.inject({ url, headers })));
    return all.map((answer) => answer.json().asStaff ?? answer.json().roles ?? answer.statusCode);
  };
  expect(await answers('admin')).toEqual([200, 200, true, false]);
  expect(await answers('catalog')).toEqual([200, ['admin'], false, false]);
  expect(await answers('sales')).toEqual([['admin', 'catalog'], ['admin'], true, false]);
  expect(await answers('retail')).toEqual([['admin', 'catalog'], ['admin'], false, false]);
  expect(await answers('enrolling')).toEqual([403, 403, 403, false]);
  expect(await answers(null)).toEqual([401, 401, 401, false]);
});

it('a limited session gets only to what is also for it, and is nobody on a public route', async () => {
  server.app.get('/v1/mine', { config: { access: 'user' } }, () => ({}));
  server.app.get('/v1/resubmit', { config: { access: 'user', alsoFor: ['applicant'] } }, ({ caller }) => caller);
  server.app.get('/v1/prices', { config: { access: 'public' } }, ({ caller }) => ({ caller }));
  const answer = async (url: string, role: 'applicant' | 'enrolling') => {
    const { statusCode, json } = await server.app.inject({ url, headers: await tokenOf(role) });
    return [statusCode, json().code ?? json().role ?? json().caller];
  };
  expect(await answer('/v1/mine', 'applicant')).toEqual([403, 'session_limited']);
  expect(await answer('/v1/admin', 'enrolling')).toEqual([403, 'session_limited']);
  expect(await answer('/v1/resubmit', 'enrolling')).toEqual([403, 'session_limited']);
  expect(await answer('/v1/resubmit', 'applicant')).toEqual([200, 'applicant']);
  expect(await answer('/v1/prices', 'applicant')).toEqual([200, null]);
});

it.each(['/internal/things', '/%69nternal/things', 'http://x/internal/things', '/internal/things?/livez'])(
  'what is for the gateway is guarded by the route that was found, not by its text: %s',
  async (url) => {
    expect((await server.app.inject({ url })).statusCode).toBe(403);
    expect((await server.app.inject({ url, headers: await tokenOf(null) })).statusCode).toBe(200);
  },
);

it('probes are open', async () => {
  for (const url of ['/livez', '/readyz', '/metrics'])
    expect((await server.app.inject({ url })).statusCode, url).toBe(200);
});

it('what goes wrong inside stays inside', async () => {
  const headers = { ...(await tokenOf('retail')), 'x-request-id': 'request-1234' };
  const answer = await server.app.inject({ url: '/v1/broken', headers });
  expect(answer.statusCode).toBe(500);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(answer.json()).toMatchObject({
    code: 'internal_error',
    requestId: 'request-1234',
    instance: '/v1/broken',
  });
  expect(answer.body).not.toContain('secret-host');
});
