import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Returns the id that the request has sent if it is well-formed, otherwise a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[A-Za-z0-9._:-]{8,128}$/.test(id) ? id : randomUUID();
}

/** Returns the W3C trace context that the request has sent if it is well-formed, otherwise a new one. */
export function traceparentOf(headers: IncomingHttpHeaders): string {
  const { traceparent } = headers;
  return typeof traceparent === 'string' &&
    /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent)
    ? traceparent
    : `00-${randomHex()}-${randomHex().slice(16)}-00`;
}

// Returns 32 hex digits with 122 random bits. A UUID is used because Node makes UUIDs in advance, so it costs far less
// than random bytes.
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}
