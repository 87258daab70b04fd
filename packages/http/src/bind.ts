import type { Principal } from '@storefront/access-token';
import {
  commonErrors,
  formTypes,
  maxFormBytes,
  Refusal,
  type AnswerOf,
  type BodyOf,
  type FieldError,
  type Operations,
  type OperationSpec,
  type ParamsOf,
  type QueryOf,
  type RawBodySpec,
} from '@storefront/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { readAsJson } from './bodies.ts';
import { createRequestCheck } from './check-request.ts';
import { acceptEventStreams } from './event-stream.ts';
import { publishAnswers } from './public-answers.ts';
import { checkRawType, createBodyRoom, rawTypesOf } from './raw-bodies.ts';

/** A request that was checked against its operation. If the operation is not public, the caller is logged in. */
export type RequestOf<Spec extends OperationSpec> = FastifyRequest<{
  Params: ParamsOf<Spec>;
  Querystring: QueryOf<Spec>;
  Body: BodyOf<Spec>;
}> &
  (Spec['access'] extends 'public' | 'system' ? unknown : { readonly caller: Principal });

type Handle<Spec extends OperationSpec> = (
  request: RequestOf<Spec>,
  reply: FastifyReply,
) => AnswerOf<Spec> | FastifyReply | Promise<AnswerOf<Spec> | FastifyReply>;

/** Answers one operation. */
export type Handler<Spec extends OperationSpec> =
  | Handle<Spec>
  | {
      /**
       * Returns the wrong fields of the body that only the domain can find. The client gets them together with the
       * fields that the schema refuses. `body` has only the fields that fit their schemas.
       */
      readonly check?: (body: Partial<BodyOf<Spec>>) => readonly FieldError[];
      readonly handle: Handle<Spec>;
      /**
       * For an `idempotent` operation with answers that can exceed 2 KiB: makes the answer of `handle` again for the
       * same request, from the data that is stored now. Changes nothing, and throws `not_found` if the data no longer
       * exists.
       */
      readonly again?: Handle<Spec>;
    };

/** Exactly one handler for each operation. */
export type Handlers<Specs extends Operations> = { readonly [Id in keyof Specs]: Handler<Specs[Id]> };

/**
 * Serves each operation by its handler. The request is checked first. The answer is written by the schema of its
 * status, so a field that the schema does not name never leaves the service. The status is the operation's first one,
 * unless the handler sets another.
 */
export function bindOperations<Specs extends Operations>(
  app: FastifyInstance,
  operations: Specs,
  handlers: Handlers<Specs>,
): void {
  for (const [id, operation] of Object.entries(operations)) {
    const handler = handlers[id] as Handler<any>;
    if (operation.stream) app.register((scope) => bindStream(scope, operation, handler));
    else if (operation.rawBody) {
      const { rawBody } = operation;
      app.register((scope) => bindRaw(scope, operation, rawBody, handler));
    } else if (operation.alsoAsText) app.register((scope) => bindText(scope, operation, handler));
    else if (operation.form) app.register((scope) => bindForm(scope, operation, handler));
    else if (operation.publicSeconds !== undefined) app.register((scope) => bindPublic(scope, operation, handler));
    else bind(app, operation, handler);
  }
}

async function bindStream(scope: FastifyInstance, operation: OperationSpec, handler: Handler<any>): Promise<void> {
  await acceptEventStreams(scope);
  bind(scope, operation, handler, { sse: 'only' });
}

async function bindPublic(scope: FastifyInstance, operation: OperationSpec, handler: Handler<any>): Promise<void> {
  await publishAnswers(scope, operation);
  bind(scope, operation, handler);
}

async function bindForm(scope: FastifyInstance, operation: OperationSpec, handler: Handler<any>): Promise<void> {
  // The body is read completely, so that the connection can be used again. Its content is ignored.
  scope.addContentTypeParser([...formTypes], { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, _body, done) =>
    done(null, undefined),
  );
  bind(scope, operation, handler);
}

async function bindText(scope: FastifyInstance, operation: OperationSpec, handler: Handler<any>): Promise<void> {
  readAsJson(scope, 'text/plain');
  bind(scope, operation, handler);
}

async function bindRaw(
  scope: FastifyInstance,
  operation: OperationSpec,
  rawBody: RawBodySpec,
  handler: Handler<any>,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  for (const type of rawTypesOf(rawBody))
    scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: rawBody.maxBytes }, (_request, body, done) =>
      done(null, body),
    );
  const takeRoom = createBodyRoom(rawBody);
  scope.addHook('preParsing', async (request, reply, payload) => {
    checkRawType(rawBody, request);
    takeRoom(request, reply);
    return payload;
  });
  // Fastify does not call the parser for a request without a body, so the empty body is set here.
  scope.addHook('preValidation', (request, _reply, done) => {
    request.body ??= Buffer.alloc(0);
    done();
  });
  bind(scope, operation, handler);
}

function bind(
  app: FastifyInstance,
  operation: OperationSpec,
  handler: Handler<any>,
  options: Pick<RouteOptions, 'sse'> = {},
): void {
  const { method, path, access, roles, scope, alsoFor = [], idempotent = false } = operation;
  const { check, handle, again } =
    typeof handler === 'function' ? { check: undefined, handle: handler, again: undefined } : handler;
  const checkRequest = createRequestCheck(operation, check);
  const status = Number(Object.keys(operation.responses)[0]);
  app.route({
    ...options,
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      access,
      ...(roles && { roles }),
      ...(scope && { scope }),
      alsoFor,
      idempotent,
      answersAgain: again !== undefined,
    },
    schema: { response: schemasOf(operation.responses) },
    preValidation(request, reply, done) {
      checkRequest(request);
      void reply.code(status);
      done();
    },
    handler: async (request, reply) => {
      const work = () => handle(request, reply);
      const answer: unknown =
        request.replay && again
          ? await replay(again, request, reply)
          : await (request.idempotency ? request.idempotency.whileHeld(work) : work());
      // Null means an answer without content, which Fastify would write as JSON. A stream has already sent its reply.
      return answer ?? (reply.sent ? reply : reply.send());
    },
  });
}

async function replay(again: Handle<any>, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  try {
    return await again(request, reply);
  } catch (error) {
    throw error instanceof Refusal && error.kind === 'absent' ? commonErrors.resultDeleted() : error;
  }
}

function schemasOf(responses: OperationSpec['responses']): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      const schema = response instanceof z.ZodType ? response : response?.body;
      return schema ? [[status, schema]] : [];
    }),
  );
}
