import type { Headers } from './headers.ts';

/**
 * How an attempt failed:
 * - `not-processed`: the service has done nothing for the request.
 * - `connection-lost`: it is unknown whether the service has done anything.
 * - `timeout`: the service was too slow.
 * - `malformed-answer`: the answer was not valid HTTP.
 */
export type Failure = 'not-processed' | 'connection-lost' | 'timeout' | 'malformed-answer';

/** The error code for a connection that closed before any request was sent on it. */
export const neverAnswered = 'NEVER_ANSWERED';

/** Returns the kind of failure for an error of the connection to a service. */
export function failureOf(error: Error): Failure {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return 'not-processed';
  if (code === neverAnswered || code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'not-processed';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'connection-lost';
  return 'malformed-answer';
}

/**
 * A service answers with this status when it can't serve now, for example without its database. Another instance may be
 * able to.
 */
export const unavailable = 503;

/**
 * Whether an answer is Fastify's own refusal of a request that reached a closing server. No hook and no handler has run
 * for such a request, so its answer lacks the request id that every other answer of a service has.
 */
export function isClosingRefusal(status: number, headers: Headers): boolean {
  return status === unavailable && headers.connection === 'close' && headers['x-request-id'] === undefined;
}

/** Whether a request may be sent again without the risk that the service does its work twice. */
export function mayRetry(method: string, hasIdempotencyKey: boolean, failure: Failure): boolean {
  if (failure === 'not-processed') return true;
  return failure === 'connection-lost' && (method === 'GET' || hasIdempotencyKey);
}

/**
 * Returns how many milliseconds to wait after `attempts` attempts. `random` (0 to 1) makes clients that failed at the
 * same time wait for different times.
 */
export function backOff(attempts: number, random: number): number {
  return Math.min(400, 20 * 2 ** attempts) * (0.5 + random / 2);
}
