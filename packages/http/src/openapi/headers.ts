import { idempotencyKeyPattern } from '../idempotency-key.ts';

/** Request headers that many operations take. */
export const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Chosen by the client, a new one for each action. The same key with the same body gets the first answer again for 24 hours, so that a request without an answer can be sent again. Answers with 429 or 5xx are not kept. A key in quotes is the same as without them.',
    schema: { type: 'string', pattern: idempotencyKeyPattern },
    example: '7b1f0c0e-6f1f-4c8e-9a55-0f6f3c1b2d44',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the version to change. Where it is another version by now, the answer is 412.',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the version that the client has. Where it is still that version, the answer is 304; with `*` it is 304 for any version.',
    schema: { type: 'string' },
    example: '"3"',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Names the request in logs, events and the answer: 8 to 128 letters, digits and . _ : -. The server makes another ' +
      'one where it is missing or malformed.',
    schema: { type: 'string' },
    example: '5d0d3ff4-52a8-4d6f-9b0d-1c1a3d7c3f0e',
  },
} as const;

/** Answer headers that follow from the properties of an operation or from an error. */
export const answerHeaders = {
  'Cache-Control': {
    description: 'How long browsers and caches may keep the answer; `no-store` where it is for the caller alone.',
    schema: { type: 'string' },
    example: 'public, max-age=30',
  },
  ETag: { description: 'The version of the resource.', schema: { type: 'string' }, example: '"3"' },
  'Idempotency-Replayed': {
    description: '`true` where this is the kept answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Idempotency-Changed': {
    description:
      '`true` where what the first answer showed has changed since: then this is its present state. Short answers are ' +
      'kept whole and never changed.',
    schema: { type: 'string', const: 'true' },
  },
  RateLimit: {
    description:
      'What is left of each budget: `r` requests, and more after `t` seconds. It is missing where limits are off.',
    schema: { type: 'string' },
    example: '"user";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The budgets: `q` requests in `w` seconds. It is missing where limits are off.',
    schema: { type: 'string' },
    example: '"user";q=600;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  Vary: {
    description: 'The request headers on which the answer depends.',
    schema: { type: 'string' },
    example: 'Authorization, accept-encoding',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token", error_description="The access token expired"',
  },
  'X-Token-Ignored': {
    description:
      '`true` where the token of the request was not valid and was ignored: a valid one could change the answer.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Request-Id': {
    description: 'Names the request, for questions about it.',
    schema: { type: 'string' },
    example: '5d0d3ff4-52a8-4d6f-9b0d-1c1a3d7c3f0e',
  },
} as const;
