import { commonErrors, type RawBodySpec } from '@storefront/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

// A body of this size is taken by every operation, so it needs no room of its own.
const usualBytes = 256 * 1024;

/** The content types for Fastify's parsers of bodies of such an operation. */
export function rawTypesOf({ contentTypes }: Pick<RawBodySpec, 'contentTypes'>): (string | RegExp)[] {
  return contentTypes.map((type) => (type === 'image/*' ? /^image\// : type));
}

/** Throws `unsupported_media_type` for a body with a `Content-Type` that the operation does not take. */
export function checkRawType(rawBody: RawBodySpec, { headers }: FastifyRequest): void {
  if (!hasBody(headers) || takesType(rawBody, headers['content-type'])) return;
  throw rawBody.contentTypes.includes('image/*')
    ? commonErrors.unsupportedMediaType('as a picture, with a Content-Type such as image/jpeg')
    : commonErrors.unsupportedMediaType(`as ${rawBody.contentTypes.join(' or ')}`);
}

export function takesType({ contentTypes }: Pick<RawBodySpec, 'contentTypes'>, header: string | undefined): boolean {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase();
  return contentTypes.some((taken) => (taken === 'image/*' ? type?.startsWith('image/') : type === taken));
}

/** Whether a body needs room: it is large, or its length is unknown. */
export function needsRoom({ headers }: FastifyRequest): boolean {
  return hasBody(headers) && !(Number(headers['content-length']) <= usualBytes);
}

/**
 * Counts the large bodies of one operation that are in memory at once. The returned function takes room for the body of a
 * request until its answer is sent or its client leaves; a body of unknown length counts as the largest one. Throws
 * `overloaded` where there is not enough room.
 */
export function createBodyRoom({
  maxBytes,
  maxBytesAtOnce,
}: RawBodySpec): (request: FastifyRequest, reply: FastifyReply) => void {
  let taken = 0;
  return (request, reply) => {
    // If the client has already disconnected, there will be no `close` event.
    if (!needsRoom(request) || reply.raw.closed) return;
    const bytes = Math.min(maxBytes, Number(request.headers['content-length'] ?? maxBytes));
    if (taken + bytes > maxBytesAtOnce) throw commonErrors.overloaded();
    taken += bytes;
    reply.raw.once('close', () => (taken -= bytes));
  };
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
