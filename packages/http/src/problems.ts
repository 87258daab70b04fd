import { STATUS_CODES } from 'node:http';
import { commonErrors, Refusal, statusOf, type FieldError, type ProblemBody } from '@storefront/contracts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Turns an error of a library, such as the database driver, into a refusal; undefined for any other error. */
export type ToRefusal = (error: unknown) => Refusal | undefined;

/** Turns every refusal and every error of an app into an `application/problem+json` answer (RFC 9457). */
export function answerWithProblems(app: FastifyInstance, toRefusal: ToRefusal = () => undefined): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refusal = error instanceof Refusal ? error : (toRefusal(error) ?? refusalOf(error));
    if (refusal.kind === 'internal') request.log.error({ err: error }, 'request failed');
    else if (refusal.kind === 'unavailable')
      request.log.warn({ reason: error instanceof Error ? error.message : refusal.code }, 'request not served');
    return sendProblem(request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, commonErrors.routeNotFound()));
}

// These limits keep each answer below 16 KiB with its headers, whatever was wrong with the request. A longer list of
// errors would help nobody.
const maxErrors = 100;
const maxErrorBytes = 12 * 1024;
const maxTextLength = 300;
const maxPathLength = 1024;

/** Returns the first wrong fields, and the number of those left out. */
function shownErrors(fields: readonly FieldError[]): Pick<ProblemBody, 'errors' | 'moreErrors'> {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const { pointer, message, ...rest } of fields) {
    const error = { pointer: shortened(pointer), ...rest, message: shortened(message) };
    bytes += Buffer.byteLength(JSON.stringify(error));
    if (errors.length === maxErrors || bytes > maxErrorBytes) break;
    errors.push(error);
  }
  return { errors, ...(fields.length > errors.length ? { moreErrors: fields.length - errors.length } : {}) };
}

function shortened(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text;
}

/** Makes the body of an answer that refuses the request for `path`. */
export function problemBody(refusal: Refusal, path: string, requestId: string): ProblemBody {
  const status = statusOf[refusal.kind];
  return {
    type: `/docs/guides/errors#${refusal.code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: refusal.message,
    instance: (path.split('?', 1)[0] ?? '/').slice(0, maxPathLength),
    code: refusal.code,
    requestId,
    ...refusal.members,
    ...(refusal.fields ? shownErrors(refusal.fields) : {}),
  };
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(statusOf[refusal.kind])
    .headers(headersOf(refusal))
    .header('content-type', 'application/problem+json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(problemBody(refusal, request.url, request.id));
}

function headersOf({ kind, challenge, retryAfterSeconds }: Refusal): Record<string, string> {
  const seconds = retryAfterSeconds ?? (kind === 'unavailable' || kind === 'throttled' ? 1 : undefined);
  return {
    ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    ...(seconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }),
  };
}

// Replacements for Fastify's own errors, because Fastify's messages name internal options.
const fastifyErrors: Readonly<Record<number, () => Refusal>> = {
  400: () => commonErrors.malformedRequest(),
  404: commonErrors.routeNotFound,
  405: commonErrors.methodNotAllowed,
  408: commonErrors.requestTimeout,
  413: commonErrors.bodyTooLarge,
  415: commonErrors.unsupportedMediaType,
  431: commonErrors.headersTooLarge,
  503: commonErrors.overloaded,
};

function refusalOf(error: unknown): Refusal {
  const { statusCode } = error as Partial<FastifyError>;
  return (fastifyErrors[statusCode ?? 500] ?? commonErrors.internalError)();
}
