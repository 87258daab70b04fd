import { randomUUID } from 'node:crypto';
import { commonErrors, operation, operationsOf } from '@storefront/contracts';
import { seedOf } from '@storefront/http';
import { ConflictError } from '@storefront/mongo';
import { defineService, serviceConfig } from '@storefront/process';
import { eventually, principal, startService, times, type Answer, type Harness } from '@storefront/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openResources, serve } from '../src/index.ts';

const operations = operationsOf(
  operation({
    id: 'createThing',
    method: 'POST',
    path: '/v1/things',
    access: 'user',
    idempotent: true,
    body: z.strictObject({ name: z.string() }),
    responses: { 201: z.object({ seed: z.string(), name: z.string() }) },
    tags: ['things'],
    summary: 'Create a thing',
  }),
);

const service = defineService({
  name: 'kit',
  config: z.object(serviceConfig),
  async start(config, overrides) {
    await using resources = await openResources('kit', config, overrides);
    return await serve(resources, {
      operations,
      areas: [
        {
          handlers: {
            async createThing(request, reply) {
              const seed = seedOf(request) ?? 'none';
              seeds.push(seed);
              await handle();
              void reply.header('location', '/v1/things/1');
              return { seed, name: request.body.name };
            },
          },
        },
      ],
    });
  },
});

const ada = principal('retail');
let kit: Harness;
/** One for each time that the work was done. */
let seeds: string[];
let handle: () => Promise<void> | void;

beforeEach(async () => {
  seeds = [];
  handle = () => undefined;
  kit = await startService(service, { bus: 'in-process', definitions: [] });
});
afterEach(() => kit.close());

const post = (name: string, key: string): Promise<Answer> =>
  kit.call(ada, 'POST', '/v1/things', { name }, { 'idempotency-key': key });

it('a change that lost every race is refused for the moment, and may be tried again', async () => {
  handle = () => {
    throw new ConflictError('addresses user_1 changed 200 times while it was being changed');
  };
  const { status, headers, body } = await post('a', 'key-1');
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('1');
  expect(body).toMatchObject({ code: 'too_many_changes', detail: expect.stringContaining('try again') });
  expect(JSON.stringify(body)).not.toContain('user_1');
  handle = () => undefined;
  expect((await post('a', 'key-1')).status).toBe(201);
});

it('the same key and body get the first answer again', async () => {
  const first = await post('a', 'key-1');
  const again = await post('a', 'key-1');
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  expect(again.headers.get('location')).toBe('/v1/things/1');
  expect(seeds).toHaveLength(1);
});

it('twenty that race under one key do the work once', async () => {
  handle = () => new Promise((resolve) => setTimeout(resolve, 100));
  const answers = await times(20, () => post('a', 'key-1'));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(seeds).toHaveLength(1);
});

it('another body under the same key is refused', async () => {
  await post('a', 'key-1');
  const other = await post('b', 'key-1');
  expect(other.status).toBe(422);
  expect(other.body).toMatchObject({ code: 'idempotency_key_reused' });
});

it('after a server error the key is free again, and stands for the same thing', async () => {
  handle = () => {
    throw commonErrors.databaseUnavailable();
  };
  expect((await post('a', 'key-1')).status).toBe(503);
  handle = () => undefined;
  expect((await post('a', 'key-1')).status).toBe(201);
  expect(seeds).toHaveLength(2);
  expect(seeds[0]).toBe(seeds[1]);
});

it('a key whose holder died is taken over while the request waits', async () => {
  handle = () => {
    throw commonErrors.databaseUnavailable();
  };
  await post('a', 'key-1');
  const died = randomUUID();
  await kit.collection('instances').insertOne({ _id: died, beat: 1, beatAt: new Date() });
  const keys = kit.collection('idempotency_keys');
  await eventually(() => keys.findOne({ holder: '' }), 'the key to be released');
  await keys.updateMany({}, { $set: { holder: `${died}/attempt` } });
  handle = () => undefined;
  const posted = post('a', 'key-1');
  await kit.collection('instances').deleteOne({ _id: died });
  expect((await posted).status).toBe(201);
  expect(new Set(seeds).size).toBe(1);
});

it('what is kept of a body and an answer can not be read', async () => {
  await post('a-name-that-is-easy-to-find', 'key-1');
  const kept = JSON.stringify(await kit.collection('idempotency_keys').find().toArray());
  expect(kept).toContain('fingerprint');
  expect(kept).not.toContain('easy-to-find');
  expect(kept).not.toContain('key-1');
});
