import { operation } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { coverageOf } from '../src/index.ts';

const common = {
  access: 'public',
  tags: ['things'],
  summary: 'Does something',
  responses: { 200: z.object({}) },
} as const;
const kind = z.enum(['new', 'used']).meta({ id: 'ThingKind' });
const operations = [
  operation({
    ...common,
    id: 'listThings',
    method: 'GET',
    path: '/v1/things',
    query: z.strictObject({
      q: z.string().trim().max(10).optional(),
      limit: z.coerce.number().int().default(20),
      sort: z.enum(['name', '-name']).default('name'),
      kind: kind.optional(),
    }),
  }),
  operation({
    ...common,
    id: 'getThing',
    method: 'GET',
    path: '/v1/things/{id}',
    params: z.object({ id: z.string() }),
  }),
  operation({ ...common, id: 'getNewest', method: 'GET', path: '/v1/things/newest' }),
];

it('names each operation, each field of a query and each word of such a field', () => {
  expect(coverageOf(operations).missing()).toEqual([
    'GET /v1/things',
    'GET /v1/things ?q',
    'GET /v1/things ?limit',
    'GET /v1/things ?sort=name',
    'GET /v1/things ?sort=-name',
    'GET /v1/things ?kind=new',
    'GET /v1/things ?kind=used',
    'GET /v1/things/{id}',
    'GET /v1/things/newest',
  ]);
});

it('counts a call for the operation of its path, a fixed path before one with an id', () => {
  const coverage = coverageOf(operations);
  coverage.called('GET', '/v1/things?sort=-name&limit=5&kind=new');
  coverage.called('GET', '/v1/things/newest');
  expect(coverage.missing()).toEqual([
    'GET /v1/things ?q',
    'GET /v1/things ?sort=name',
    'GET /v1/things ?kind=used',
    'GET /v1/things/{id}',
  ]);
  coverage.called('GET', '/v1/things/1');
  expect(coverage.missing()).not.toContain('GET /v1/things/{id}');
});

it('refuses a call of no operation', () => {
  expect(() => coverageOf(operations).called('POST', '/v1/things')).toThrow('no operation is POST /v1/things');
});
