import { STATUS_CODES } from 'node:http';
import {
  formTypes,
  sendsETag,
  takesIfNoneMatch,
  type OperationSpec,
  type RawBodySpec,
  type ResponseSpec,
} from '@storefront/contracts';
import { z } from 'zod';
import type { Components, Reference } from './components.ts';
import { answerHeaders } from './headers.ts';
import { problemContent, type Problems } from './problems.ts';
import type { JsonSchema } from './schemas.ts';

interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: object;
}

type HeaderName = keyof typeof answerHeaders;

/**
 * Returns all responses of an operation by status: its answers, with JSON schemas from `schemaOf`, and its problems.
 */
export function responsesOf(
  operation: OperationSpec,
  schemaOf: (status: string) => JsonSchema | undefined,
  problems: readonly Problems[],
  components: Components,
): Record<string, object> {
  const answers = answersOf(operation, schemaOf, components);
  const refusals = problems.map((set): [status: number, Response | Reference] => {
    const response = problemResponse(set, components);
    const answer = answers[set.status];
    if (answer) return [set.status, either(answer, response)];
    return [set.status, set.name === undefined ? response : components.add('responses', set.name, response)];
  });
  return { ...answers, ...Object.fromEntries(refusals) };
}

/** Returns the response that an operation declares for a status, in its long form. */
export function toResponseSpec(response: z.ZodType | ResponseSpec | null): ResponseSpec {
  return response instanceof z.ZodType ? { body: response } : (response ?? {});
}

function jsonContent(schema: JsonSchema): object {
  return { 'application/json': { schema } };
}

/** Describes a JSON body, and also JSON sent as `text/plain` if the operation accepts it. */
export function bodyContent({ alsoAsText }: OperationSpec, schema: JsonSchema): object {
  const asText = { 'text/plain': { schema: { type: 'string', contentMediaType: 'application/json' } } };
  return { ...jsonContent(schema), ...(alsoAsText && asText) };
}

/** Describes a body that the operation takes as bytes. */
export function rawContent({ contentTypes, isList }: RawBodySpec): object {
  const json = isList ? { type: 'array', items: { type: 'object' } } : { type: 'object' };
  const schemas = { 'application/json': { schema: json }, 'text/csv': { schema: { type: 'string' } }, 'image/*': {} };
  return Object.fromEntries(contentTypes.map((type) => [type, schemas[type]]));
}

export function formContent(schema: JsonSchema): object {
  return Object.fromEntries(formTypes.map((type) => [type, { schema }]));
}

function answersOf(
  operation: OperationSpec,
  schemaOf: (status: string) => JsonSchema | undefined,
  components: Components,
): Record<string, Response> {
  const common = headersNamed(headersOfAnswers(operation), components);
  const answers = Object.entries(operation.responses).map(([status, response]): [string, Response] => {
    const { description = STATUS_CODES[status] ?? status, contentType, event, headers = {} } = toResponseSpec(response);
    const own = Object.entries(headers).map(([name, text]) => [
      name,
      { description: text, schema: { type: 'string' } },
    ]);
    const schema = schemaOf(status);
    const content =
      schema || contentType !== undefined
        ? { ...(schema && !event ? jsonContent(schema) : {}), ...otherContent(contentType ?? [], event && schema) }
        : undefined;
    return [
      status,
      { description, headers: { ...Object.fromEntries(own), ...common }, ...(content ? { content } : {}) },
    ];
  });
  if (takesIfNoneMatch(operation))
    answers.push(['304', { description: 'The client has this version already.', headers: common }]);
  return Object.fromEntries(answers);
}

function headersOfAnswers(operation: OperationSpec): HeaderName[] {
  return [
    ...(operation.publicSeconds === undefined ? [] : (['Cache-Control', 'Vary'] as const)),
    ...(sendsETag(operation) ? (['ETag'] as const) : []),
    ...(operation.idempotent ? (['Idempotency-Replayed', 'Idempotency-Changed'] as const) : []),
    ...(operation.gateway ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
    ...(operation.optionalToken ? (['X-Token-Ignored'] as const) : []),
    'X-Request-Id',
  ];
}

function problemResponse(set: Problems, components: Components): Response {
  const { status, errors } = set;
  const waits = status === 429 || errors.some((error) => error.example().retryAfterSeconds !== undefined);
  const names: HeaderName[] = [
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(waits ? (['Retry-After'] as const) : []),
    ...(status === 429 ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    // Answers with 408 and 431 have no id, because the message never became a request.
    ...(status === 408 || status === 431 ? [] : (['X-Request-Id'] as const)),
  ];
  return {
    description: errors.map((error) => `- \`${error.code}\`: ${error.example().message}`).join('\n'),
    headers: headersNamed(names, components),
    content: problemContent(set),
  };
}

// Joins an answer and a problem with the same status, such as 503 of a readiness check.
function either(answer: Response, problem: Response): Response {
  return {
    description: `${answer.description} Or:\n\n${problem.description}`,
    headers: { ...answer.headers, ...problem.headers },
    content: { ...answer.content, ...problem.content },
  };
}

function headersNamed(names: readonly HeaderName[], components: Components): Record<string, Reference> {
  return Object.fromEntries(
    names.map((name) => [name, components.add('headers', name.replaceAll('-', ''), answerHeaders[name])]),
  );
}

function otherContent(contentType: string | readonly string[], schema: JsonSchema = { type: 'string' }): object {
  const types = [contentType].flat();
  return Object.fromEntries(types.map((type) => [type, type.startsWith('text/') ? { schema } : {}]));
}
