import { randomUUID } from 'node:crypto';
import { commonErrors, isId, operation, operationsOf } from '@storefront/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  acceptIdempotencyKeys,
  bindOperations,
  newIdFor,
  noteForReplay,
  noteOf,
  seedOf,
  type IdempotencyRecord,
  type IdempotencyStore,
  type Server,
} from '../src/index.ts';
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
  operation({
    id: 'askForThing',
    method: 'POST',
    path: '/v1/asks',
    access: 'public',
    idempotent: true,
    body: z.strictObject({ name: z.string() }),
    responses: { 202: z.object({ asked: z.int() }) },
    tags: ['things'],
    summary: 'Ask for a thing',
  }),
  operation({
    id: 'writeText',
    method: 'POST',
    path: '/v1/texts',
    access: 'user',
    idempotent: true,
    body: z.strictObject({ text: z.string() }),
    responses: { 201: z.object({ id: z.string(), text: z.string(), mood: z.string() }) },
    tags: ['things'],
    summary: 'Write a text',
  }),
);

let server: Server;
let ids: string[];
let seeds: (string | undefined)[];
let fail: boolean;
let cannotKeep: boolean;
let refuse: boolean;
let records: Map<string, Omit<IdempotencyRecord, 'mine'>>;
let texts: Map<string, string>;
let written: number;
let asked: number;
/** The attempt whose work is being done, as far as the store knows. */
let working: string | null;
let workedFor: (string | null)[];
beforeEach(() => {
  [ids, seeds, fail, records, texts, written, asked] = [[], [], false, new Map(), new Map(), 0, 0];
  [cannotKeep, refuse, working, workedFor] = [false, false, null, []];
  server = newServer();
  acceptIdempotencyKeys(server.app, memoryStore(), 'a secret of more than 32 characters ..');
  const textOf = (id: string) => texts.get(id) ?? '';
  bindOperations(server.app, operations, {
    createThing(request) {
      const id = newIdFor(request, 'addr');
      ids.push(id);
      seeds.push(seedOf(request));
      workedFor.push(working);
      if (fail) throw commonErrors.databaseUnavailable();
      if (refuse) throw commonErrors.roleRequired();
      return { id };
    },
    askForThing: () => ({ asked: (asked += 1) }),
    writeText: {
      handle(request, reply) {
        const id = newIdFor(request, 'addr');
        texts.set(id, request.body.text);
        written += 1;
        noteForReplay(request, 'good');
        void reply.header('location', `/v1/texts/${id}`);
        return { id, text: textOf(id), mood: 'good' };
      },
      again(request) {
        const id = newIdFor(request, 'addr');
        if (!texts.has(id)) throw commonErrors.notFound('text');
        return { id, text: textOf(id), mood: noteOf(request) };
      },
    },
  });
});
afterEach(() => server.app.close());

/** Keeps records as the database does, without their times. */
function memoryStore(): IdempotencyStore {
  return {
    async claim(id, fingerprint) {
      const known = records.get(id);
      if (known && known.holder !== '') return { ...known, mine: false };
      const record = { fingerprint, answer: null, holder: randomUUID(), seed: known?.seed ?? randomUUID() };
      records.set(id, record);
      return { ...record, mine: true };
    },
    async whileHeld(holder, work) {
      working = holder;
      try {
        return await work();
      } finally {
        working = null;
      }
    },
    async keep(id, holder, answer) {
      if (cannotKeep) throw commonErrors.databaseUnavailable();
      const record = records.get(id);
      if (record?.holder === holder) records.set(id, { ...record, answer });
    },
    release(id, holder) {
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

it('a key whose answer could not be kept is free again, and stands for the same thing', async () => {
  cannotKeep = true;
  expect((await create('key-1')).statusCode).toBe(503);
  cannotKeep = false;
  expect((await create('key-1')).statusCode).toBe(201);
  expect(new Set(ids).size).toBe(1);
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

it('the work under a key is done as that of the attempt that holds it, other work as that of nobody', async () => {
  await create('key-1');
  await create();
  const [holder] = [...records.values()].map((record) => record.holder);
  expect(workedFor).toEqual([holder, null]);
});

it('a refusal that can not be kept is answered as it is, and frees its key', async () => {
  [refuse, cannotKeep] = [true, true];
  const refused = await create('key');
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'role_required']);
  [refuse, cannotKeep] = [false, false];
  expect((await create('key')).statusCode).toBe(201);
});

it('a key in quotes is the same as without them', async () => {
  const first = await create('key-1');
  expect((await create('"key-1"')).body).toBe(first.body);
  expect((await create(String.raw`"a\"b\\c"`)).body).toBe((await create(String.raw`a"b\c`)).body);
  expect(ids).toHaveLength(2);
  for (const key of ['"', '""', '"key-1', '"key-1" ;a=1', '"a b"', String.raw`"a\b"`, `"${'x'.repeat(256)}"`])
    expect((await create(key)).statusCode, key).toBe(400);
});

it('a key is refused with another body, and one that is no key with any', async () => {
  await create('key-1');
  const other = await create('key-1', 'Cup');
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key_reused']);
  for (const key of ['', 'a b', 'ü', 'x'.repeat(256)]) expect((await create(key)).statusCode).toBe(400);
  expect(ids).toHaveLength(1);
});

// The server writes one of 8 KiB or more as bytes.
describe.each([
  ['a long answer', 'x'.repeat(5000)],
  ['a very long answer', 'ü'.repeat(10_000)],
])('%s', (_which, long) => {
  const write = async (text = long) =>
    server.app.inject({
      method: 'POST',
      url: '/v1/texts',
      headers: { ...(await tokenOf('retail')), 'idempotency-key': 'key-1' },
      payload: { text },
    });

  it('is not kept, and is made again, to the byte', async () => {
    const first = await write();
    expect(records.values().next().value?.answer?.length).toBeLessThan(500);
    const again = await write();
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', location: first.headers.location });
    expect(again.headers).not.toHaveProperty('idempotency-changed');
    expect(written).toBe(1);
  });

  it('shows the present state where that has changed, and says so', async () => {
    const { id } = (await write()).json();
    texts.set(id, 'short');
    const again = await write();
    expect([again.statusCode, again.json()]).toEqual([201, { id, text: 'short', mood: 'good' }]);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'idempotency-changed': 'true' });
    expect(written).toBe(1);
  });

  it('can no longer be made where what it showed is deleted: nothing is done again', async () => {
    await write();
    texts.clear();
    const again = await write();
    expect([again.statusCode, again.json().code]).toEqual([404, 'result_deleted']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(written).toBe(1);
  });

  it('of another body is refused', async () => {
    await write();
    expect((await write('another')).json().code).toBe('idempotency_key_reused');
  });
});

it('a short answer is kept as it was, whatever has changed since', async () => {
  const headers = { ...(await tokenOf('retail')), 'idempotency-key': 'key-1' };
  const write = () => server.app.inject({ method: 'POST', url: '/v1/texts', headers, payload: { text: 'short' } });
  const first = await write();
  texts.clear();
  expect((await write()).body).toBe(first.body);
});

it('callers who are not logged in share no key, unless they ask for the same', async () => {
  const headers = { ...(await tokenOf(null)), 'idempotency-key': '1' };
  const ask = async (name: string) =>
    (await server.app.inject({ method: 'POST', url: '/v1/asks', headers, payload: { name } })).json().asked as number;
  expect(await ask("a stranger's")).toBe(1);
  expect(await ask('mine')).toBe(2);
  expect(await ask('mine')).toBe(2);
  expect(await ask("a stranger's")).toBe(1);
});
