import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The id of a request: the one it came with where that is well-formed, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{8,128}$/.test(given) ? given : randomUUID();
}

/** The W3C trace context that a request belongs to: the one it came with where that is well-formed, else a new one. */
export function traceparentOf(headers: IncomingHttpHeaders): string {
  const given = headers.traceparent;
  return typeof given === 'string' && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(given)
    ? given
    : `00-${randomHex()}-${randomHex().slice(16)}-00`;
}

// 32 digits, of which 122 bits are random. Node keeps UUIDs in store, so one costs far less than random bytes of its own.
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}
