import { commonErrors } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';

const jsonInUtf8 = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * Bodies are read whole before a service gets the request, so that slow clients do not reach services; what they hold is
 * not looked at. Only JSON in UTF-8 is accepted.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!jsonInUtf8.test(request.headers['content-type'] ?? '')) {
      done(commonErrors.unsupportedMediaType());
      return;
    }
    done(null, body.length === 0 ? undefined : body);
  });
}
