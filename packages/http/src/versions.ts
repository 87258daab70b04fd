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
  const etag = etagOf(version);
  void reply.header('etag', etag);
  if (request.method === 'GET' && tags(request.headers['if-none-match']).includes(etag)) return reply.code(304).send();
  return body;
}

/** A check for decisions: throws `version_mismatch` where the request's `If-Match` names other versions only. */
export function ifMatch(request: FastifyRequest): (version: number) => void {
  const expected = tags(request.headers['if-match']);
  return (version) => {
    if (expected.length === 0 || expected.includes('*') || expected.includes(etagOf(version))) return;
    throw commonErrors.versionMismatch();
  };
}

// A weak tag is compared as the strong one: both are made of the version alone.
function tags(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
