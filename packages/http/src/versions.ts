import { commonErrors } from '@storefront/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Returns the entity tag of a version of a resource. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Returns a single resource and sets its `ETag`, or answers 304 if the client already has this version. */
export function sendVersioned<Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  version: number,
  body: Body,
): Body | FastifyReply {
  return answerUnchanged(request, reply, etagOf(version)) ? reply : body;
}

/**
 * Sets the answer's entity tag, which need not come from a version, such as `W/"kX2vQm8r"`. If the client already has
 * the answer with this tag, sends 304 and returns true.
 */
export function answerUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  void reply.header('etag', etag);
  if (request.method !== 'GET' || !hasVersion(request, etag)) return false;
  void reply.code(304).send();
  return true;
}

/** Whether the client has the answer with this entity tag, by its `If-None-Match`. */
export function hasVersion(request: FastifyRequest, etag: string): boolean {
  const known = tags(request.headers['if-none-match']);
  return known.includes('*') || known.includes(withoutWeakness(etag));
}

/**
 * Returns a check of the stored version. It throws `version_mismatch` if the request's `If-Match` names only other
 * versions.
 */
export function ifMatch(request: FastifyRequest): (version: number) => void {
  const expected = tags(request.headers['if-match']);
  return (version) => {
    if (expected.length === 0 || expected.includes('*') || expected.includes(etagOf(version))) return;
    throw commonErrors.versionMismatch();
  };
}

// A weak tag is compared like a strong one, because both are made from the same data.
function tags(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((tag) => withoutWeakness(tag.trim()));
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, '');
}
