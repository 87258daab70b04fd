import type { Headers } from './headers.ts';

/**
 * How a try failed: `untouched`, the service has done nothing for it; `cut`, nobody knows; `timeout`, it took too long;
 * `broken`, it answered what is no HTTP.
 */
export type Failure = 'untouched' | 'cut' | 'timeout' | 'broken';

/** Reads an error of the connection to a service. */
export function failureOf(error: Error): Failure {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return 'untouched';
  if (code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'untouched';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'cut';
  return 'broken';
}

/**
 * Whether an answer is Fastify's own refusal of a request that reached a server while it was closing: no hook and no
 * handler has run, which shows in the request id that every other answer of a service carries.
 */
export function isClosingRefusal(status: number, headers: Headers): boolean {
  return status === 503 && headers.connection === 'close' && headers['x-request-id'] === undefined;
}

/** Whether a request may be sent again without the risk of doing something twice. */
export function mayRetry(method: string, hasIdempotencyKey: boolean, failure: Failure): boolean {
  if (failure === 'untouched') return true;
  return failure === 'cut' && (method === 'GET' || hasIdempotencyKey);
}

/** Milliseconds to wait before the try after `tries`; `random` in 0..1 spreads clients that failed together. */
export function backOff(tries: number, random: number): number {
  return Math.min(400, 20 * 2 ** tries) * (0.5 + random / 2);
}
