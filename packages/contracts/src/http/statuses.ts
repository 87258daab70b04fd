import type { ErrorKind } from '../errors/refusal.ts';

/** The HTTP status of each kind of error. Nowhere else is a kind mapped to a status. */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  absent: 404,
  method: 405,
  slow: 408,
  conflict: 409,
  stale: 412,
  'too-large': 413,
  'media-type': 415,
  rule: 422,
  throttled: 429,
  'headers-too-large': 431,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;
