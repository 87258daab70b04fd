import { commonErrors, formTypes, maxFormBytes } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';

const jsonInUtf8 = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;
const formType = /^([^\s;]+)\s*(?:;|$)/;

/**
 * Bodies are read whole before a service gets the request, so that slow clients do not reach services; what they hold is
 * not looked at. Only JSON in UTF-8 is accepted, and forms by the operations that take them. A signature over the body counts for
 * the bytes that were sent, so an operation that checks one takes no `Content-Encoding`.
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
  app.addContentTypeParser([...formTypes], { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, body, done) => {
    done(null, body.length === 0 ? undefined : body);
  });
  // Before anything of the body is read, whatever its length is.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { form, rawBody } = request.publicRoute?.operation ?? {};
    const isEncoded = rawBody !== undefined && (request.headers['content-encoding'] ?? 'identity') !== 'identity';
    if (isEncoded || (isForm(request.headers['content-type']) && !form)) done(commonErrors.unsupportedMediaType());
    else done(null, payload);
  });
}

function isForm(contentType: string | undefined): boolean {
  const [, type = ''] = formType.exec(contentType ?? '') ?? [];
  return formTypes.some((each) => each === type.toLowerCase());
}
