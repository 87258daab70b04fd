import {
  linesOf,
  type Area,
  type ArgumentsOf,
  type CallOf,
  type OperationsIn,
  type OperationType,
  type Outcome,
} from './area.ts';
import { bearerOf, type Bearer, type TokenAnswer } from './bearer.ts';
import { ApiError, ConflictError, type ClientCode } from './errors.ts';
import { pagesOf } from './pages.ts';
import { prepare } from './prepare.ts';
import { send, type CallOptions, type Input, type Line, type Settings } from './send.ts';
import { memorySession } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { noteVersion, sourceOf } from './versions.ts';

/** What a client is made with. */
export interface ClientOptions extends Settings {
  /** Where the tokens are kept: in memory by default. Clients may share one. */
  readonly session?: SessionStore;
  /** The API token of a program, in place of a session. */
  readonly apiToken?: string;
}

type Areas = Readonly<Record<string, Area<unknown>>>;
type NamedLine = ReturnType<typeof linesOf>[number];

type AttemptOf<Operation> = Operation extends OperationType
  ? (
      ...args: ArgumentsOf<Operation>
    ) => Promise<Outcome<Operation['result'], ApiError<Operation['codes'] | ClientCode>>>
  : never;

/** A client of some areas: each operation of them is a call. */
export type ClientOf<Some> = {
  readonly [Name in keyof Some]: {
    readonly [Id in keyof OperationsIn<Some[Name]>]: CallOf<OperationsIn<Some[Name]>[Id]>;
  };
} & {
  /** The same operations, whose calls return `{ ok: true, data }` or `{ ok: false, error }` and throw only if aborted. */
  readonly try: {
    readonly [Name in keyof Some]: {
      readonly [Id in keyof OperationsIn<Some[Name]>]: AttemptOf<OperationsIn<Some[Name]>[Id]>;
    };
  };
};

type AnyCall = (input?: Input, options?: CallOptions) => Promise<unknown>;

/** Makes a client of these areas alone, so that a bundle has no others. */
export function clientOf<Some extends Areas>(areas: Some, options: ClientOptions): ClientOf<Some> {
  const { apiToken } = options;
  const session =
    options.session ??
    memorySession(apiToken === undefined ? undefined : { accessToken: apiToken, expiresAt: Number.POSITIVE_INFINITY });
  const settings = { ...options, baseUrl: options.baseUrl.replace(/\/$/, '') };
  const bearer: Bearer = bearerOf(session, async (path, body) => {
    const request = { ...prepare(settings, { method: 'POST', path, letters: '' }, { body }, {}), isRepeatable: true };
    // The API answers a refresh token that is sent twice within 20 s alike, once.
    const within = { retries: 1, timeoutMs: 15_000 };
    const { read, response } = await send(settings, undefined, request, within, (response) => response.json());
    bearer.noteTime(response.headers);
    return read as TokenAnswer;
  });

  async function call(line: Line, input: Input = {}, options: CallOptions = {}, isRaw = false): Promise<unknown> {
    const request = prepare(settings, line, input, options);
    const { letters } = request;
    try {
      const { response, read } = await send(
        settings,
        letters.includes('O') ? undefined : bearer,
        request,
        options,
        isRaw || letters.includes('S') ? (response) => Promise.resolve(response) : bodyOf,
      );
      bearer.noteTime(response.headers);
      if (letters.includes('K') && (read as TokenAnswer | undefined)?.refreshToken !== undefined)
        await bearer.keep(read as TokenAnswer);
      if (letters.includes('X')) await bearer.end();
      noteVersion(read, response, request, options.of);
      return read;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      throw new ConflictError(error, await present(sourceOf(options.of) ?? request.path, options));
    }
  }

  /** The resource as it is now; undefined where it can't be read. */
  function present(path: string, { of: _of, ifMatch: _ifMatch, ...options }: CallOptions): Promise<unknown> {
    return call({ method: 'GET', path, letters: '' }, {}, options).catch(() => undefined);
  }

  const calls = (line: NamedLine, area: string) => {
    const one: AnyCall = (input, options) => call(line, input, options);
    return Object.assign(one, {
      ...pagesOf(one),
      key: [area, line.id] as const,
      response: (input?: Input, options?: CallOptions) => call(line, input, options, true),
    });
  };
  const attempts =
    (line: Line): AnyCall =>
    (input, options) =>
      call(line, input, options).then(
        (data) => ({ ok: true, data }),
        (error: unknown) => {
          if (error instanceof ApiError) return { ok: false, error };
          throw error;
        },
      );
  return {
    ...mapped(areas, calls),
    try: mapped(areas, attempts),
  } as unknown as ClientOf<Some>;
}

function mapped<Made>(areas: Areas, make: (line: NamedLine, area: string) => Made) {
  const callsOf = (name: string, area: string) =>
    Object.fromEntries(linesOf(area).map((line) => [line.id, make(line, name)]));
  return Object.fromEntries(Object.entries(areas).map(([name, area]) => [name, callsOf(name, area)]));
}

/** JSON as its value, no content as undefined, and of anything else the response. */
async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (!response.headers.get('content-type')?.includes('application/json')) return response;
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('unexpected_answer', 'The answer is not JSON.', { status: response.status, cause });
  }
}
