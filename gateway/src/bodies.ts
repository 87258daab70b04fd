import type { IncomingMessage } from 'node:http';
import { commonErrors, formTypes, maxFormBytes } from '@storefront/contracts';
import {
  accessRefusal,
  checkRawType,
  createBodyRoom,
  needsRoom,
  refuseEncodedBodies,
  takesType,
} from '@storefront/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteTable } from './domain/route-table.ts';

const jsonInUtf8 = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;
const textInUtf8 = /^text\/plain(?:\s*;\s*charset="?utf-8"?)?$/i;
const formType = /^([^\s;]+)\s*(?:;|$)/;

/**
 * Reads each body whole before a service gets the request, so that slow clients do not occupy services. The content of
 * a body is not checked here. Every operation takes JSON in UTF-8; forms, JSON sent as `text/plain`, pictures and CSV are
 * accepted only for operations that declare them. No body is decompressed.
 *
 * Callbacks, pictures and files of products may be large. While those that are read fill their room, a further one is
 * answered 503, and its client sends it again. A large body of a caller who may not call the operation is not read:
 * `forward` sends the request without it, and the service refuses it.
 */
export function readBodies(
  app: FastifyInstance,
  routes: Pick<RouteTable, 'withRawBody'>,
  forward: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
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
  for (const type of [/^image\//, 'text/csv'])
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body.length === 0 ? undefined : body);
    });
  refuseEncodedBodies(app);
  const rooms = new Map(routes.withRawBody.map(({ id, rawBody }) => [id, createBodyRoom(rawBody)]));
  // This hook runs before the first byte of the body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const operation = request.publicRoute?.operation;
    const type = request.headers['content-type'];
    if (isForm(type) && !operation?.form) throw commonErrors.unsupportedMediaType();
    const isFile = takesType({ contentTypes: ['image/*', 'text/csv'] }, type);
    if (isFile && !(operation?.rawBody && takesType(operation.rawBody, type)))
      throw commonErrors.unsupportedMediaType();
    if (operation?.rawBody) {
      if (needsRoom(request) && accessRefusal(operation, request.access) !== null) {
        void reply.header('connection', 'close');
        forward(request, reply);
        return;
      }
      checkRawType(operation.rawBody, request);
      rooms.get(operation.id)?.(request, reply);
    }
    done(null, payload);
  });
}

/**
 * Asks a client with `Expect: 100-continue` for its body once all hooks before have let the request pass. Call this after
 * they were added.
 */
export function askForBodies(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>();
  app.server.on('checkContinue', (request, answer) => {
    waiting.add(request);
    app.server.emit('request', request, answer);
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (waiting.has(request.raw)) {
      if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit) throw commonErrors.bodyTooLarge();
      reply.raw.writeContinue();
    }
    done(null, payload);
  });
}

function isForm(contentType: string | undefined): boolean {
  const [, type = ''] = formType.exec(contentType ?? '') ?? [];
  return formTypes.some((each) => each === type.toLowerCase());
}
