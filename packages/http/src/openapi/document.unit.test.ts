import {
  api,
  commonErrors,
  errorsOf,
  operation,
  operations,
  statusOf,
  takesIfNoneMatch,
  type OperationSpec,
} from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from './document.ts';

interface Described {
  operationId: string;
  security: object[];
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string } }> };
  responses: Record<string, Response>;
  'x-codeSamples': { source: string }[];
}
interface Response {
  $ref?: string;
  description: string;
  headers: Record<string, { $ref?: string }>;
  content?: Record<string, { schema: { allOf: { properties: { code: { enum: string[] } } }[] }; examples: object }>;
}
interface Schema {
  required?: string[];
  properties: Record<string, object>;
  additionalProperties?: boolean;
}

const all: OperationSpec[] = Object.values(operations).flatMap((group) => Object.values(group));
const info = { ...api, version: '1.2.3' };
const document = openApiDocument(all, info);
const part = (kind: string, name: string) => document.components[kind]?.[name];
const schemas = document.components.schemas as Record<string, Schema>;
const find = (id: string) =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item) as Described[])
    .find(({ operationId }) => operationId === id) as Described;
const responseOf = (id: string, status: number) => {
  const response = find(id).responses[status] as Response;
  return response.$ref ? (part('responses', response.$ref.split('/').at(-1) as string) as Response) : response;
};
const parametersOf = (id: string) => find(id).parameters.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1));

describe('the document of all operations', () => {
  it.each(all.map((spec): [string, OperationSpec] => [spec.id, spec]))(
    'says every status and every code of %s',
    (id, spec) => {
      const errors = Map.groupBy(errorsOf(spec), ({ kind }) => statusOf[kind]);
      const statuses = [...Object.keys(spec.responses), ...(takesIfNoneMatch(spec) ? ['304'] : [])];
      expect(new Set(Object.keys(find(id).responses))).toEqual(
        new Set([...statuses, ...[...errors.keys()].map(String)]),
      );
      for (const [status, declared] of errors) {
        const problem = responseOf(id, status).content?.['application/problem+json'];
        const codes = declared.map(({ code }) => code);
        expect(problem?.schema.allOf[1]?.properties.code.enum).toEqual(codes);
        expect(Object.keys(problem?.examples ?? {})).toEqual(codes);
      }
    },
  );

  it('shows how the client calls an operation', () => {
    expect(find('changeCustomer')['x-codeSamples']).toMatchObject([
      { source: 'await shop.customers.changeCustomer({ params: { id }, body });' },
    ]);
    expect(find('getMe')['x-codeSamples']).toMatchObject([{ source: 'await shop.users.getMe();' }]);
    expect(find('listApiTokens')['x-codeSamples']).toMatchObject([{ source: 'await shop.apiTokens.listApiTokens();' }]);
  });

  it('says which operation takes a form in place of JSON', () => {
    const { requestBody } = find('unsubscribe');
    const schema = { type: 'object', properties: { 'List-Unsubscribe': { type: 'string', const: 'One-Click' } } };
    expect(requestBody).toMatchObject({
      required: false,
      content: {
        'application/x-www-form-urlencoded': { schema },
        'multipart/form-data': { schema },
      },
    });
    const types = all.flatMap(({ id }) => Object.keys(find(id)?.requestBody?.content ?? {}));
    expect(types.filter((type) => type.includes('form'))).toHaveLength(2);
  });

  it('says which types of files an operation takes', () => {
    expect(find('importProducts')?.requestBody).toEqual({
      required: true,
      content: {
        'text/csv': { schema: { type: 'string' } },
        'application/json': { schema: { type: 'array', items: { type: 'object' } } },
      },
    });
  });

  it('says which operation takes JSON that is called text, as browsers send it last', () => {
    const takesText = all.filter(({ id }) => 'text/plain' in (find(id)?.requestBody?.content ?? {}));
    expect(takesText.map(({ id }) => id)).toEqual(['recordAnalyticsEvents']);
  });

  it('shows the bytes of a callback as JSON, and its signatures as headers', () => {
    expect(find('receiveCallback').requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { type: 'object' } } },
    });
    expect(parametersOf('receiveCallback')).toEqual(['id', 'payment-signature', 'stripe-signature', 'RequestId']);
  });

  it('refers only to what it has, and has only what it refers to', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name));
    const { securitySchemes: _schemes, ...components } = document.components;
    const named = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `${kind}/${name}`),
    );
    expect(referred).toEqual(new Set(named));
    expect(text).not.toContain('$defs');
  });

  it('requires a bearer token except where anybody may call', () => {
    expect(find('getMe').security).toEqual([{ bearer: [] }]);
    expect(find('listProducts').security).toEqual([{}, { bearer: [] }]);
    expect(find('register').security).toEqual([]);
    expect(find('getHealth').security).toEqual([]);
    expect(find('streamNotifications').security).toEqual([{ bearer: [] }, { ticket: [] }]);
  });

  it('names the headers that a request may have', () => {
    expect(parametersOf('createProduct')).toEqual(['IdempotencyKey', 'RequestId']);
    expect(parametersOf('getProduct')).toEqual(['id', 'IfNoneMatch', 'RequestId']);
    expect(parametersOf('changeProduct')).toEqual(['id', 'IfMatch', 'RequestId']);
    expect(parametersOf('streamNotifications')).toEqual(['lastEventId', 'last-event-id', 'RequestId']);
  });

  it('names the headers that an answer has', () => {
    const limits = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'];
    const headersOf = (id: string, status: number) => Object.keys(responseOf(id, status).headers);
    expect(headersOf('createProduct', 201)).toEqual([
      'Location',
      'ETag',
      'Idempotency-Replayed',
      'Idempotency-Changed',
      ...limits,
    ]);
    const ofPublic = ['RateLimit', 'RateLimit-Policy', 'X-Token-Ignored', 'X-Request-Id'];
    expect(headersOf('getProduct', 304)).toEqual(['Cache-Control', 'Vary', 'ETag', ...ofPublic]);
    expect(headersOf('getMe', 401)).toEqual(['WWW-Authenticate', 'X-Request-Id']);
    expect(headersOf('getMe', 429)).toEqual(['Retry-After', ...limits]);
    expect(headersOf('getMe', 503)).toEqual(['Retry-After', 'X-Request-Id']);
    expect(headersOf('createProduct', 409)).toContain('Retry-After');
    expect(headersOf('getHealth', 200)).toEqual(['X-Request-Id']);
  });

  it('requires of a request what has no default, and no more', () => {
    expect(schemas.AddressCreation?.required).toEqual(['contactPhone', 'homeAddress', 'city', 'country']);
    expect(schemas.AddressCreation?.properties.isDefault).toMatchObject({
      type: 'boolean',
      description: expect.stringMatching(/By default `false`\.$/),
    });
    expect(schemas.Address?.required).toEqual(Object.keys(schemas.Address?.properties ?? {}));
    const limit = find('listProducts').parameters.find(({ name }) => name === 'limit');
    expect(limit).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', default: 20, maximum: 100 },
    });
  });

  it('excludes unknown fields of requests, and lets answers gain fields', () => {
    expect(schemas.AddressCreation?.additionalProperties).toBe(false);
    expect(schemas.Address?.additionalProperties).toBeUndefined();
  });

  it('describes money once', () => {
    expect(schemas.ProductCreation?.properties.price).toMatchObject({ $ref: '#/components/schemas/Money' });
    expect(schemas.Product?.properties.price).toMatchObject({ $ref: '#/components/schemas/Money' });
  });

  it('keeps examples of fields that are trimmed, and says defaults in words', () => {
    expect(schemas.ProductCreation?.properties.name).toMatchObject({ examples: ['Blue mug'], maxLength: 200 });
    expect(schemas.ProductCreation?.properties.images).toMatchObject({
      description: 'The first one is shown in lists. By default `[]`.',
    });
  });

  it('has no default in a schema of a body, by which generators of clients would require the field', () => {
    const bodies = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ requestBody }: { requestBody?: object }) => requestBody),
    );
    expect(JSON.stringify([bodies, schemas.ProductCreation, schemas.CategoryCreation])).not.toContain('"default":');
  });

  it('gives a status that is an answer and an error one response', () => {
    expect(Object.keys(responseOf('getReadiness', 503).content ?? {})).toEqual([
      'application/json',
      'application/problem+json',
    ]);
    expect(responseOf('getReadiness', 503).headers).toHaveProperty('Retry-After');
  });

  it('says where there is no body, and where it is not JSON', () => {
    expect(responseOf('deleteProduct', 204).content).toBeUndefined();
    expect(responseOf('streamNotifications', 200).content).toEqual({
      'text/event-stream': { schema: { $ref: '#/components/schemas/NotificationStreamEvent' } },
    });
    expect(responseOf('exportAudit', 200).content).toHaveProperty('application/x-ndjson');
    expect(responseOf('getProductPicture', 200).content).toEqual({ 'image/*': {} });
    expect(find('createProduct').requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ProductCreation' } } },
    });
    expect(find('approveTradeAccount').requestBody?.required).toBe(false);
    expect(find('rejectTradeAccount').requestBody?.required).toBe(true);
  });

  it('shows problems as they are sent', () => {
    expect(responseOf('changeProduct', 412).content?.['application/problem+json']?.examples).toMatchObject({
      version_mismatch: {
        value: { type: '/docs/guides/errors#version_mismatch', title: 'Precondition Failed', status: 412 },
      },
    });
    expect(responseOf('createProduct', 409).description).toContain('- `sku_taken`: The SKU MUG-0001 belongs to');
    expect(responseOf('createProduct', 400).content?.['application/problem+json']?.examples).toMatchObject({
      validation_failed: { value: { errors: [{ pointer: '/email', code: 'required' }] } },
    });
    expect(JSON.stringify(document)).not.toMatch(/undefined|NaN/);
  });
});

describe('a document', () => {
  const small = operation({
    id: 'getThing',
    method: 'GET',
    path: '/v1/things',
    access: 'public',
    tags: ['products'],
    summary: 'Read a thing',
    responses: { 200: z.object({ name: z.string() }).meta({ id: 'Thing' }) },
  });

  it('has only the tags of its operations, with their descriptions', () => {
    expect(openApiDocument([small], info).tags).toEqual([{ name: 'products', description: api.tags.products }]);
    expect(() => openApiDocument([{ ...small, tags: ['things'] }], info)).toThrow('the tag things has no description');
  });

  it('leaves out what is for the gateway only', () => {
    expect(openApiDocument([small, { ...small, path: '/internal/things', access: 'system' }], info).paths).toEqual({
      '/v1/things': expect.anything(),
    });
  });

  it('refuses one name for two schemas', () => {
    const body = z.strictObject({ name: z.string().max(3) }).meta({ id: 'Thing' });
    expect(() => openApiDocument([{ ...small, method: 'POST', body }], info)).toThrow(
      'Thing is not the same in requests and in answers',
    );
  });

  it('shares the errors that several operations have', () => {
    const other = { ...small, id: 'getOther', path: '/v1/others', errors: [commonErrors.roleRequired] } as const;
    const { paths, components } = openApiDocument([small, other], info);
    expect(paths['/v1/things']?.get).toMatchObject({
      responses: { 500: { $ref: '#/components/responses/InternalServerError' } },
    });
    expect(paths['/v1/others']?.get).toMatchObject({ responses: { 403: { description: expect.anything() } } });
    expect(Object.keys(components.responses ?? {})).toContain('InternalServerError');
  });
});
