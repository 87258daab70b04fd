import type { FieldError } from '@storefront/contracts';

/** Refuses a request: becomes an RFC 9457 answer with this status and stable code. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /** `detail` is for the developer who reads the answer; it must hold nothing secret. */
  constructor(
    status: number,
    code: string,
    detail: string,
    more: { errors?: readonly FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

/** 404: it does not exist, or it is somebody else's; the answer never tells which. */
export function notFound(what = 'resource'): Problem {
  return new Problem(404, 'not_found', `There is no such ${what}.`);
}

/** 400 for one field that the schema alone could not judge. */
export function invalidField(pointer: string, code: string, message: string): Problem {
  return new Problem(400, 'validation_failed', 'A field of the request is not valid.', {
    errors: [{ pointer, in: 'body', code, message }],
  });
}

/** 503: something this service needs is away; `retryAfter` is in seconds. */
export function unavailable(code: string, detail: string, retryAfter = 1): Problem {
  return new Problem(503, code, detail, { headers: { 'retry-after': String(retryAfter) } });
}

/** 429: come back after `retryAfter` seconds. */
export function tooMany(code: string, detail: string, retryAfter: number): Problem {
  return new Problem(429, code, detail, { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) } });
}
