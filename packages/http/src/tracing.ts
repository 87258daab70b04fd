import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The id of a request: the one that it came with if that is well-formed, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[A-Za-z0-9._:-]{8,128}$/.test(id) ? id : randomUUID();
}

/** The W3C trace context of a request: the one that it came with if that is well-formed, else a new one. */
export function traceparentOf(headers: IncomingHttpHeaders): string {
  const { traceparent } = headers;
  return typeof traceparent === 'string' &&
    /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent)
    ? traceparent
    : `00-${randomHex()}-${randomHex().slice(16)}-00`;
}

// 32 digits, of which 122 bits are random. Node makes UUIDs in advance, so one costs far less than random bytes.
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}
