import { Problem } from '@storefront/service-kit';
import type { FastifyInstance } from 'fastify';

const jsonOnly = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * Bodies are read whole, and not looked into, before a service is bothered: a slow client never reaches one. Only JSON is
 * taken; its size is limited by the route.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!jsonOnly.test(request.headers['content-type'] ?? '')) {
      done(new Problem(415, 'unsupported_media_type', 'Send the body as application/json.'));
      return;
    }
    done(null, body.length === 0 ? undefined : body);
  });
}
