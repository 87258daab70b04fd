import { hash } from 'node:crypto';
import compress from '@fastify/compress';
import type { OperationSpec } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';
import { hasVersion } from './versions.ts';

// A shorter answer fits into one packet anyway.
const compressFrom = 1024;

/**
 * Lets browsers and shared caches keep the answers of an operation with `publicSeconds`, and compresses them where the
 * request has `Accept-Encoding`. The answer to a caller whom the operation looks at is personal: it has no
 * `Cache-Control` of its own, and the gateway asks for no compression of it. Every answer has an `ETag`, by default a hash
 * of its text.
 */
export async function publishAnswers(
  scope: FastifyInstance,
  { publicSeconds, optionalToken }: Pick<OperationSpec, 'publicSeconds' | 'optionalToken'>,
): Promise<void> {
  await scope.register(compress, { threshold: compressFrom, encodings: ['br', 'gzip'], globalDecompression: false });
  // Runs before the hook that compresses: routes have theirs after those of their scope.
  scope.addHook('onSend', async (request, reply, payload) => {
    // In small letters, as the compression would add it once more otherwise.
    void reply.header('vary', optionalToken ? 'Authorization, accept-encoding' : 'accept-encoding');
    if (reply.statusCode !== 200 && reply.statusCode !== 304) return payload;
    if (request.caller === null || !optionalToken)
      void reply.header('cache-control', `public, max-age=${publicSeconds}`);
    if (reply.statusCode === 304 || reply.hasHeader('etag')) return payload;
    const etag = `W/"${hash('sha1', payload as string | Buffer, 'base64url')}"`;
    void reply.header('etag', etag);
    if (!hasVersion(request, etag)) return payload;
    void reply.code(304).removeHeader('content-type');
    return '';
  });
}
