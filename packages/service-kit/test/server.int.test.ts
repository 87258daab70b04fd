import { createInternalTokenIssuer, createInternalTokenVerifier, newInternalKeyPair } from '@storefront/access-token';
import { ConflictError } from '@storefront/outbox';
import { freshDatabase, memoryLogger } from '@storefront/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { acceptIdempotencyKeys, collectionOf, createServer, openDatabase, Problem, seedOf } from '../src/index.ts';
import type { Database, Server } from '../src/index.ts';

const secret = 'a secret of more than 32 characters ..';
const schema = {
  body: z.strictObject({ name: z.string() }),
  response: { 201: z.object({ seed: z.string(), name: z.string() }) },
};
let place: ReturnType<typeof freshDatabase>;
let database: Database;
let server: Server;
let url: string;
let token: string;
let made: string[];
let handle: () => Promise<void> | void;

beforeEach(async () => {
  place = freshDatabase('kit');
  const { logger } = memoryLogger();
  database = await openDatabase(place.url, logger);
  const { privateJwk, publicJwk } = await newInternalKeyPair();
  token = await createInternalTokenIssuer(privateJwk).issue('kit', { sub: 'user_1', role: 'retail', sid: 's', ver: 1 });
  server = createServer({ name: 'kit', logger, tokens: createInternalTokenVerifier(publicJwk, 'kit'), readiness: {} });
  await acceptIdempotencyKeys(server.app, database, secret);
  made = [];
  handle = () => undefined;
  server.app.after(() => {
    server.app.post('/v1/things', { config: { access: 'user', idempotent: true }, schema }, async (request, reply) => {
      const seed = seedOf(request) ?? 'none';
      made.push(seed);
      await handle();
      return reply.code(201).header('location', '/v1/things/1').send({ seed, name: request.body.name });
    });
    server.app.get('/v1/admin', { config: { access: 'admin' } }, () => ({}));
    server.app.get('/v1/broken', { config: { access: 'public' } }, () => {
      throw new Error('mongodb://user:password@secret-host');
    });
  });
  url = await server.listen('127.0.0.1', 0);
});

afterEach(async () => {
  await server.drain();
  await database.close();
  await place.drop();
});

const post = (name: string, key?: string) =>
  fetch(`${url}/v1/things`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-internal-token': token,
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify({ name }),
  });

it('a route that does not say who may call it stops the start', async () => {
  const other = createServer({
    name: 'x',
    logger: memoryLogger().logger,
    tokens: { verify: () => Promise.resolve(null) },
    readiness: {},
  });
  await other.app.after();
  expect(() => other.app.get('/v1/forgotten', () => ({}))).toThrow('does not say who may call it');
});

it('nobody gets in past the gateway, and nobody gets more than their access', async () => {
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}${path}`, { headers })).status;
  expect(await status('/v1/broken')).toBe(403);
  expect(await status('/v1/admin', { 'x-internal-token': 'forged' })).toBe(403);
  expect(await status('/v1/admin', { 'x-internal-token': token })).toBe(403);
  expect(await status('/v1/nowhere', { 'x-internal-token': token })).toBe(404);
});

it('what goes wrong inside stays inside', async () => {
  const answer = await fetch(`${url}/v1/broken`, {
    headers: { 'x-internal-token': token, 'x-request-id': 'request-1234' },
  });
  expect(answer.status).toBe(500);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', requestId: 'request-1234', instance: '/v1/broken' });
  expect(text).not.toContain('secret-host');
});

it('a change that lost every race is refused for the moment, and may be tried again', async () => {
  handle = () => {
    throw new ConflictError('addresses user_1 changed 200 times while it was being changed');
  };
  const answer = await post('a', 'key-1');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'too_many_changes', detail: expect.stringContaining('try again') });
  expect(text).not.toContain('user_1');
  handle = () => undefined;
  expect((await post('a', 'key-1')).status).toBe(201);
});

it('the same key and body get the first answer again', async () => {
  const first = await post('a', 'key-1');
  const again = await post('a', 'key-1');
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(await again.json()).toEqual(await first.json());
  expect([first, again].map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  expect(again.headers.get('location')).toBe('/v1/things/1');
  expect(made).toHaveLength(1);
});

it('twenty that race under one key do the work once', async () => {
  handle = () => new Promise((resolve) => setTimeout(resolve, 100));
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('a', 'key-1')));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(made).toHaveLength(1);
});

it('another body under the same key is refused', async () => {
  await post('a', 'key-1');
  const other = await post('b', 'key-1');
  expect(other.status).toBe(422);
  expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
});

it('after a server error the key is free again, and stands for the same thing', async () => {
  handle = () => {
    throw new Problem(503, 'database_unavailable', 'away');
  };
  expect((await post('a', 'key-1')).status).toBe(503);
  handle = () => undefined;
  expect((await post('a', 'key-1')).status).toBe(201);
  expect(made).toHaveLength(2);
  expect(made[0]).toBe(made[1]);
});

it('a key whose holder died is taken over once its lease is over', async () => {
  handle = () => {
    throw new Problem(503, 'database_unavailable', 'away');
  };
  await post('a', 'key-1');
  const records = collectionOf(database, 'idempotency_keys');
  await records.updateMany({}, { $set: { leaseUntil: new Date(Date.now() + 400) } });
  handle = () => undefined;
  expect((await post('a', 'key-1')).status).toBe(201);
  expect(new Set(made).size).toBe(1);
});

it('what is kept of a body and an answer can not be read', async () => {
  await post('a-name-that-is-easy-to-find', 'key-1');
  const kept = JSON.stringify(await collectionOf(database, 'idempotency_keys').find().toArray());
  expect(kept).not.toContain('easy-to-find');
  expect(kept).not.toContain('key-1');
});
