import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problem.ts';

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

/** A check for `decide` functions: throws 412 where the request's `If-Match` names another version. */
export function ifMatch(request: FastifyRequest): (version: number) => void {
  const wanted = tags(request.headers['if-match']);
  return (version) => {
    if (wanted.length === 0 || wanted.includes('*') || wanted.includes(etagOf(version))) return;
    throw new Problem(412, 'version_mismatch', 'The resource has changed since you read it: read it again.');
  };
}

// A weak tag compares as its strong one: both come from the version alone.
function tags(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
