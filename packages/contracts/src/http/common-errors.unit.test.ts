import { expect, test } from 'vitest';
import { z } from 'zod';
import { catalogErrors } from '../errors/catalog.ts';
import { commonErrors } from '../errors/common.ts';
import { errorsOf } from './common-errors.ts';
import { operation, type OperationSpec } from './operation.ts';

const read: OperationSpec = operation({
  id: 'read',
  method: 'GET',
  path: '/v1/things',
  access: 'public',
  responses: { 200: z.string() },
  tags: [],
  summary: 'Read',
});
const codes = (more: Partial<OperationSpec> = {}) =>
  errorsOf({ ...read, ...more })
    .map(({ code }) => code)
    .toSorted();
const ofRead = [
  'database_unavailable',
  'headers_too_large',
  'internal_error',
  'invalid_encoding',
  'keys_unavailable',
  'malformed_request',
  'overloaded',
  'rate_limited',
  'request_timeout',
  'revocation_unknown',
  'scope_required',
  'service_unavailable',
  'too_many_at_once',
  'upstream_timeout',
];
const added = (more: Partial<OperationSpec>) => codes(more).filter((code) => !ofRead.includes(code));

test('a public read answers what the gateway, the token and the service bring with them', () => {
  expect(codes()).toEqual(ofRead);
});

test.each<[string, Partial<OperationSpec>, string[]]>([
  ['user', { access: 'user' }, ['authentication_required', 'invalid_token', 'session_limited']],
  [
    'limited',
    { access: 'user', alsoFor: ['applicant'] },
    ['authentication_required', 'invalid_token', 'session_limited'],
  ],
  [
    'all limited',
    { access: 'user', alsoFor: ['applicant', 'enrolling'] },
    ['authentication_required', 'invalid_token'],
  ],
  [
    'trade',
    { access: 'trade' },
    ['authentication_required', 'invalid_token', 'session_limited', 'trade_account_required'],
  ],
  ['admin', { access: 'admin' }, ['authentication_required', 'invalid_token', 'role_required', 'session_limited']],
  [
    'staff',
    { access: 'staff', roles: ['sales'] },
    ['authentication_required', 'invalid_token', 'role_required', 'session_limited'],
  ],
  ['query', { query: z.object({ q: z.string() }) }, ['validation_failed']],
  ['cursor', { query: z.object({ cursor: z.string() }) }, ['invalid_cursor', 'validation_failed']],
  ['params', { params: z.object({ id: z.string() }) }, ['not_found']],
  ['headers', { headers: z.object({ dnt: z.string() }) }, ['validation_failed']],
  ['versioned read', { versioned: true }, []],
  [
    'write',
    { method: 'POST' },
    ['body_too_large', 'document_too_large', 'outbox_full', 'too_many_changes', 'unsupported_media_type'],
  ],
  [
    'body',
    { method: 'POST', body: z.object({}) },
    [
      'body_too_large',
      'document_too_large',
      'outbox_full',
      'too_many_changes',
      'unsupported_media_type',
      'validation_failed',
    ],
  ],
  [
    'idempotent',
    { method: 'POST', idempotent: true },
    [
      'body_too_large',
      'document_too_large',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'outbox_full',
      'too_many_changes',
      'unsupported_media_type',
      'validation_failed',
    ],
  ],
  [
    'idempotent for users',
    { method: 'POST', idempotent: true, access: 'user' },
    [
      'authentication_required',
      'body_too_large',
      'document_too_large',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'invalid_token',
      'outbox_full',
      'result_deleted',
      'session_limited',
      'too_many_changes',
      'too_many_idempotency_keys',
      'unsupported_media_type',
      'validation_failed',
    ],
  ],
  [
    'versioned change',
    { method: 'PATCH', versioned: true },
    [
      'body_too_large',
      'document_too_large',
      'outbox_full',
      'too_many_changes',
      'unsupported_media_type',
      'version_mismatch',
    ],
  ],
  ['own', { errors: [catalogErrors.slugTaken] }, ['slug_taken']],
])('%s adds its errors', (_what, more, expected) => {
  expect(added(more)).toEqual(expected);
});

test('an operation that ends sessions is never refused for a budget', () => {
  const refused = codes({ budget: 'ending' });
  expect(ofRead.filter((code) => !refused.includes(code))).toEqual(['rate_limited', 'too_many_at_once']);
});

test('an internal operation is refused to everybody but the gateway', () => {
  expect(codes({ access: 'system' })).toEqual([
    'database_unavailable',
    'gateway_only',
    'headers_too_large',
    'internal_error',
    'invalid_encoding',
    'malformed_request',
    'overloaded',
    'request_timeout',
  ]);
});

test("the gateway's own operation looks at no token and has no budget", () => {
  expect(codes({ gateway: true })).toEqual([
    'headers_too_large',
    'internal_error',
    'invalid_encoding',
    'malformed_request',
    'request_timeout',
  ]);
});

test('an error that is declared and follows anyway is there once', () => {
  const both = { params: z.object({ id: z.string() }), errors: [commonErrors.notFound] };
  expect(added(both)).toEqual(['not_found']);
});
