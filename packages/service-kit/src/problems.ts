import { STATUS_CODES } from 'node:http';
import type { ProblemBody } from '@storefront/contracts';
import { ConflictError } from '@storefront/outbox';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from './database.ts';
import { Problem, unavailable } from './problem.ts';

/** Turns every refusal and every error of an app into an `application/problem+json` answer. */
export function answerWithProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = toProblem(error);
    if (problem.status >= 500 && problem.status !== 503) request.log.error({ err: error }, 'request failed');
    else if (problem.status === 503)
      request.log.warn({ reason: error instanceof Error ? error.message : problem.code }, 'request not served');
    return sendProblem(request, reply, problem);
  });
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, new Problem(404, 'route_not_found', 'There is no such route.')),
  );
}

/** The body of an answer that refuses the request at `path`. */
export function problemBody(problem: Problem, path: string, requestId: string): ProblemBody {
  return {
    type: `urn:storefront:problem:${problem.code}`,
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    instance: path.split('?', 1)[0] ?? '/',
    code: problem.code,
    requestId,
    ...(problem.errors ? { errors: [...problem.errors] } : {}),
  };
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(problemBody(problem, request.url, request.id));
}

// Fastify's own refusals, with our words: its messages name options and internals.
const refusals: Record<number, [code: string, detail: string]> = {
  400: ['malformed_request', 'The request could not be read.'],
  404: ['route_not_found', 'There is no such route.'],
  405: ['method_not_allowed', 'This route does not take that method.'],
  408: ['request_timeout', 'The request took too long to arrive.'],
  413: ['body_too_large', 'The body is larger than this route takes.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
  431: ['headers_too_large', 'The headers are larger than allowed.'],
};

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error)) return unavailable('database_unavailable', 'The database is away for the moment.');
  if (error instanceof ConflictError)
    return unavailable('too_many_changes', 'Others kept changing the same thing meanwhile: try again.');
  const { statusCode, code } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_VALIDATION' && error instanceof Error && error.cause instanceof Problem) return error.cause;
  if (statusCode === 503) return unavailable('overloaded', 'Too busy to take this request now.');
  const refusal = statusCode === undefined ? undefined : refusals[statusCode];
  if (statusCode !== undefined && refusal) return new Problem(statusCode, refusal[0], refusal[1]);
  return new Problem(500, 'internal_error', 'Something went wrong here; it has been logged under the request id.');
}
