import type { Headers } from './headers.ts';

/**
 * How an attempt failed: `not-processed`, the service has done nothing for it; `connection-lost`, nobody knows whether it
 * has; `timeout`; `malformed-answer`, it was no HTTP.
 */
export type Failure = 'not-processed' | 'connection-lost' | 'timeout' | 'malformed-answer';

/** The code of the error of a connection that was closed before it carried a request. */
export const neverAnswered = 'NEVER_ANSWERED';

/** The failure that an error of the connection to a service means. */
export function failureOf(error: Error): Failure {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return 'not-processed';
  if (code === neverAnswered || code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'not-processed';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'connection-lost';
  return 'malformed-answer';
}

/** The status by which a service says that it can't serve now, as while it has no database: another instance may. */
export const unavailable = 503;

/**
 * Whether an answer is Fastify's own refusal of a request that reached a server while it was closing. No hook and no
 * handler has run then: it lacks the request id that every other answer of a service has.
 */
export function isClosingRefusal(status: number, headers: Headers): boolean {
  return status === unavailable && headers.connection === 'close' && headers['x-request-id'] === undefined;
}

/** Whether a request may be sent again without the risk that its work is done twice. */
export function mayRetry(method: string, hasIdempotencyKey: boolean, failure: Failure): boolean {
  if (failure === 'not-processed') return true;
  return failure === 'connection-lost' && (method === 'GET' || hasIdempotencyKey);
}

/** Milliseconds to wait after `attempts` attempts. `random` in 0..1 spreads clients that failed at the same time. */
export function backOff(attempts: number, random: number): number {
  return Math.min(400, 20 * 2 ** attempts) * (0.5 + random / 2);
}
