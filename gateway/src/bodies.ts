import { commonErrors, formTypes, maxFormBytes } from '@storefront/contracts';
import { refuseEncodedBodies } from '@storefront/http';
import type { FastifyInstance } from 'fastify';

const jsonInUtf8 = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;
const textInUtf8 = /^text\/plain(?:\s*;\s*charset="?utf-8"?)?$/i;
/**
 * At most this many large bodies are read at once, because each one is kept in memory whole. A body of unknown length
 * counts as large.
 */
const maxLargeBodies = 32;
const usualBytes = 256 * 1024;
const formType = /^([^\s;]+)\s*(?:;|$)/;

/**
 * Reads each body whole before a service gets the request, so that slow clients do not occupy services. The content of
 * a body is not checked here. Every operation takes JSON in UTF-8; forms, and JSON sent as `text/plain`, are accepted
 * only for operations that declare them. No body is decompressed. A signed body may be large, and anybody can send one.
 * While 32 requests with large bodies are unanswered, a further one is answered 503, and the payment provider sends it
 * again.
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
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (request, body, done) => {
    const isTaken =
      request.publicRoute?.operation.alsoAsText === true && textInUtf8.test(request.headers['content-type'] ?? '');
    if (isTaken) done(null, body.length === 0 ? undefined : body);
    else done(commonErrors.unsupportedMediaType());
  });
  app.addContentTypeParser([...formTypes], { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, body, done) => {
    done(null, body.length === 0 ? undefined : body);
  });
  refuseEncodedBodies(app);
  let largeBodies = 0;
  // This hook runs before the first byte of the body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { form, rawBody } = request.publicRoute?.operation ?? {};
    if (isForm(request.headers['content-type']) && !form) {
      done(commonErrors.unsupportedMediaType());
      return;
    }
    if (rawBody !== undefined && !(Number(request.headers['content-length']) <= usualBytes)) {
      if (largeBodies >= maxLargeBodies) {
        done(commonErrors.overloaded());
        return;
      }
      largeBodies += 1;
      reply.raw.once('close', () => (largeBodies -= 1));
    }
    done(null, payload);
  });
}

function isForm(contentType: string | undefined): boolean {
  const [, type = ''] = formType.exec(contentType ?? '') ?? [];
  return formTypes.some((each) => each === type.toLowerCase());
}
