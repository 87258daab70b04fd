import { randomUUID } from 'node:crypto';
import { commonErrors, isId, operation, operationsOf } from '@storefront/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { acceptIdempotencyKeys, bindOperations, newIdFor, seedOf } from '../src/index.ts';
import type { IdempotencyRecord, IdempotencyStore, Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

const operations = operationsOf(
  operation({
    id: 'createThing',
    method: 'POST',
    path: '/v1/things',
    access: 'user',
    idempotent: true,
    body: z.strictObject({ name: z.string() }),
    responses: { 201: z.object({ id: z.string() }) },
    tags: ['things'],
    summary: 'Create a thing',
  }),
);

let server: Server;
let ids: string[];
let seeds: (string | undefined)[];
let fail: boolean;
beforeEach(() => {
  [ids, seeds, fail] = [[], [], false];
  server = newServer();
  acceptIdempotencyKeys(server.app, memoryStore(), 'a secret of more than 32 characters ..');
  bindOperations(server.app, operations, {
    createThing(request) {
      const id = newIdFor(request, 'addr');
      ids.push(id);
      seeds.push(seedOf(request));
      if (fail) throw commonErrors.databaseUnavailable();
      return { id };
    },
  });
});
afterEach(() => server.app.close());

/** Keeps records as the database does, without their times. */
function memoryStore(): IdempotencyStore {
  const records = new Map<string, Omit<IdempotencyRecord, 'mine'>>();
  return {
    async claim(id, fingerprint) {
      const known = records.get(id);
      if (known && known.holder !== '') return { ...known, mine: false };
      const record = { fingerprint, answer: null, holder: randomUUID(), seed: known?.seed ?? randomUUID() };
      records.set(id, record);
      return { ...record, mine: true };
    },
    async keep(id, holder, answer) {
      const record = records.get(id);
      if (record?.holder === holder) records.set(id, { ...record, answer });
    },
    async release(id, holder) {
      const record = records.get(id);
      if (record?.holder === holder) records.set(id, { ...record, holder: '' });
    },
  };
}

async function create(key?: string, name = 'Mug') {
  return server.app.inject({
    method: 'POST',
    url: '/v1/things',
    headers: { ...(await tokenOf('retail')), ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: { name },
  });
}

it('the id of what is created is the same for every try under one key', async () => {
  fail = true;
  expect((await create('key-1')).statusCode).toBe(503);
  fail = false;
  const { id } = (await create('key-1')).json();
  expect(ids).toEqual([id, id]);
  expect(isId('addr', id)).toBe(true);
  expect(new Set(seeds).size).toBe(1);
});

it('the id is another one under another key, and without a key', async () => {
  for (const key of ['key-1', 'key-2', undefined, undefined]) await create(key);
  expect(new Set(ids).size).toBe(4);
  expect(seeds.map((seed) => typeof seed)).toEqual(['string', 'string', 'undefined', 'undefined']);
});

it('a repeated request gets the first answer again, with its status', async () => {
  const first = await create('key-1');
  const again = await create('key-1');
  expect([again.statusCode, again.body]).toEqual([201, first.body]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(ids).toHaveLength(1);
});

it('a key is refused with another body, and one that is no key with any', async () => {
  await create('key-1');
  const other = await create('key-1', 'Cup');
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key_reused']);
  for (const key of ['', 'a b', 'ü', 'x'.repeat(256)]) expect((await create(key)).statusCode).toBe(400);
  expect(ids).toHaveLength(1);
});
