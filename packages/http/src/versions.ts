import { commonErrors } from '@storefront/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The entity tag of a resource at a version. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Answers a single resource with its `ETag`, or 304 where the client has this version already. */
export function sendVersioned<Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  version: number,
  body: Body,
): Body | FastifyReply {
  return answerUnchanged(request, reply, etagOf(version)) ? reply : body;
}

/**
 * Gives the answer that entity tag, which need not be made of a version: `W/"kX2vQm8r"`. Where the client has the
 * answer with this tag already, it sends 304 and returns true.
 */
export function answerUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  void reply.header('etag', etag);
  const known = tags(request.headers['if-none-match']);
  const isKnown = known.includes('*') || known.includes(withoutWeakness(etag));
  if (request.method !== 'GET' || !isKnown) return false;
  void reply.code(304).send();
  return true;
}

/** A check for decisions: throws `version_mismatch` where the request's `If-Match` names other versions only. */
export function ifMatch(request: FastifyRequest): (version: number) => void {
  const expected = tags(request.headers['if-match']);
  return (version) => {
    if (expected.length === 0 || expected.includes('*') || expected.includes(etagOf(version))) return;
    throw commonErrors.versionMismatch();
  };
}

// A weak tag is compared as the strong one: both are made of the same.
function tags(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((tag) => withoutWeakness(tag.trim()));
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, '');
}
