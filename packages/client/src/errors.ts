import type { ProblemCode, ProblemMembers } from './generated/problems.ts';
import { objectWith } from './object-with.ts';
import type { Problem } from './generated/schemas.ts';

/**
 * What an error may be: a code of the API, or one of the client. `network_error`: no answer. `timed_out`: none in time.
 * `unexpected_answer`: not one of the API, such as a page of a proxy.
 */
export type ErrorCode = ProblemCode | ClientCode;
export type ClientCode = 'network_error' | 'timed_out' | 'unexpected_answer';

type Members<Code> = Code extends keyof ProblemMembers ? ProblemMembers[Code] : unknown;

/** The body of an error answer, with the fields that only errors of this code have. */
export type ProblemOf<Code extends string> = Code extends string ? Problem & { code: Code } & Members<Code> : never;

/** Why a call failed. `code` says it to programs, `message` to people. */
export class ApiError<Code extends string = ErrorCode> extends Error {
  override readonly name: string = 'ApiError';
  // Declared, so that a bundle does not name each field once more than the constructor does.
  declare readonly code: Code;
  /** The status of the answer; 0 where there was none. */
  declare readonly status: number;
  /** Every wrong field of the request, where the code is `validation_failed` and the like. */
  declare readonly errors: NonNullable<Problem['errors']>;
  /** Identifies the request in the logs of the API. */
  declare readonly requestId: string | undefined;
  /** The body of the answer as it came; undefined where it was not one of the API. */
  declare readonly problem: ProblemOf<Code> | undefined;
  /** How many milliseconds the API asks to wait before the next try. */
  declare readonly retryAfterMs: number | undefined;
  /** The body of the answer as text, also where it is no problem: what `getReadiness` answers while something is down. */
  declare readonly text: string | undefined;

  constructor(code: Code, message: string, more: ErrorDetails = {}) {
    super(message, more);
    this.code = code;
    this.status = more.status ?? 0;
    this.problem = more.problem as ProblemOf<Code> | undefined;
    this.errors = more.problem?.errors ?? [];
    this.requestId = more.requestId;
    this.retryAfterMs = more.retryAfterMs;
    this.text = more.text;
  }
}

interface ErrorDetails {
  readonly status?: number;
  readonly problem?: Problem | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly text?: string;
  readonly cause?: unknown;
}

/** Thrown where somebody else has changed the resource since it was read (412). */
export class ConflictError<State = unknown> extends ApiError<'version_mismatch'> {
  override readonly name = 'ConflictError';
  /** The resource as it is now; undefined where it could not be read. Changes of it take it as `of`. */
  declare readonly current: State | undefined;

  constructor(error: ApiError<string>, current: State | undefined) {
    const { message, status, problem, requestId } = error;
    super('version_mismatch', message, { status, problem, requestId, cause: error });
    this.current = current;
  }
}

/** Whether it is an error of a call with one of these codes; with any code where none is named. */
export function isProblem<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError<Code> {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code as Code));
}

/** The error that an answer other than 2xx is. */
export async function errorOf(response: Response): Promise<ApiError<string>> {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const text = await response.text();
  const more = { status, requestId, retryAfterMs: retryAfterOf(headers), text };
  const problem = objectWith<Problem>('code', text);
  if (!problem) return new ApiError('unexpected_answer', `The answer ${status} is not one of the API.`, more);
  return new ApiError(problem.code, problem.detail, { ...more, problem, requestId: problem.requestId });
}

/** `Retry-After` is a number of seconds, or a time. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
