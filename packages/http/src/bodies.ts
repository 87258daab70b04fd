import { isUtf8 } from 'node:buffer';
import { commonErrors } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';

/** Refuses a body that is compressed or encoded in another way, before reading any of it. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const isEncoded = hasBody && (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
    done(isEncoded ? commonErrors.unsupportedMediaType('without a Content-Encoding') : null, payload);
  });
}

/**
 * Reads bodies of this type as JSON in UTF-8. Bodies in another encoding are refused, because decoding would change
 * their characters.
 */
export function readAsJson(app: FastifyInstance, contentType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isUtf8(body)) void parse(request, body.toString(), done);
    else done(commonErrors.invalidEncoding());
  });
}
