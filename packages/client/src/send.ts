import { ApiError, errorOf } from './errors.ts';
import type { Bearer } from './bearer.ts';
import { waitFor, withLimit } from './waiting.ts';

/** What a client is made with, besides its session. */
export interface Settings {
  /** The address of the API, such as `https://api.shop.example`. In a page of the same origin it may be empty. */
  readonly baseUrl: string;
  /** By default the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * On a server that calls for a shopper: whose request it is. `address` is the address of the shopper's connection, never
   * what a header of the shopper's own request says.
   */
  readonly forwarded?: { readonly address: string; readonly userAgent?: string | null | undefined };
  /** The language of texts, as in `Accept-Language`. */
  readonly language?: string;
  /** How long a call may take in all, with its retries: 30,000 ms by default. */
  readonly timeoutMs?: number;
  /** How often a call that failed for the moment is sent again: 2 by default; 0 is never. */
  readonly retries?: number;
  /** Called before a request is sent again. */
  readonly onRetry?: (retry: Retry) => void;
}

export interface Retry {
  readonly method: string;
  readonly path: string;
  /** 1 for the first retry. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: ApiError<string>;
}

/** What each call may be given besides its input. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** By default a random one for each call of an operation that takes it. All tries of a call have the same. */
  readonly idempotencyKey?: string;
  /** The resource that is changed, as it was read: if it has changed since, the call throws a ConflictError. */
  readonly of?: object;
  /** The `ETag` that the resource must have. */
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How an operation is called. */
export interface Line {
  readonly method: string;
  /** With `{name}` for its parameters; `{}` is that of the name `id`. */
  readonly path: string;
  /** What is special about it: `scripts/client.ts` says what they mean. */
  readonly letters: string;
}

/** What is sent. */
export interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A request, ready to be sent. */
export interface Prepared extends Line {
  /** The path with its parameters filled in, and the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  readonly body: string | Blob | Uint8Array<ArrayBuffer> | undefined;
  /** Whether it does no harm to send it twice. */
  readonly isRepeatable: boolean;
}

/** An answer 2xx, with what `read` has made of it. */
export interface Answer<Read> {
  readonly response: Response;
  readonly read: Read;
}

const [firstWaitMs, longestWaitMs] = [500, 8000];

/**
 * Sends the request until it is answered 2xx. Throws an ApiError where it is refused, or still fails after the retries;
 * the reason of `options.signal` once that is aborted. `read` reads the body; where the connection is lost meanwhile, that
 * is a failure of the try.
 */
export async function send<Read>(
  settings: Settings,
  bearer: Bearer | undefined,
  request: Prepared,
  options: CallOptions,
  read: (response: Response) => Promise<Read>,
): Promise<Answer<Read>> {
  const { retries = settings.retries ?? 2, timeoutMs = settings.timeoutMs ?? 30_000 } = options;
  const limit = withLimit(options.signal, request.letters.includes('S') ? Infinity : timeoutMs);
  let renewed = false;
  try {
    for (let attempt = 0; ;) {
      const token = await bearer?.token();
      if (token !== undefined) request.headers.authorization = `Bearer ${token}`;
      else if (bearer) delete request.headers.authorization;
      const outcome = await attemptOnce(settings, request, limit.signal, read);
      const isAnswer = !(outcome instanceof ApiError);
      // What was refused for its token alone has done nothing yet, and neither has a read.
      const isForToken = isAnswer
        ? request.method === 'GET' && outcome.response.headers.get('x-token-ignored') === 'true'
        : outcome.code === 'invalid_token';
      if (isForToken && !renewed && token !== undefined && (await bearer?.renew(token))) {
        renewed = true;
        continue;
      }
      if (isAnswer) return outcome;
      const waitMs = outcome.retryAfterMs ?? Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
      const isOver = attempt >= retries || !request.isRepeatable || !isTransient(outcome);
      if (isOver || waitMs >= limit.leftMs()) throw outcome;
      attempt += 1;
      settings.onRetry?.({ method: request.method, path: request.path, attempt, waitMs, error: outcome });
      await waitFor(waitMs, limit.signal);
    }
  } catch (error) {
    // What was aborted says so by the reason of its caller, or by the error of the limit.
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    limit.clear();
  }
}

async function attemptOnce<Read>(
  settings: Settings,
  { method, path, headers, body }: Prepared,
  signal: AbortSignal,
  read: (response: Response) => Promise<Read>,
): Promise<Answer<Read> | ApiError<string>> {
  try {
    const { fetch: send = fetch } = settings;
    const response = await send(settings.baseUrl + path, { method, headers, signal, body });
    if (!response.ok) return await errorOf(response);
    return { response, read: await read(response) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) return error;
    return new ApiError('network_error', 'The API could not be reached.', { cause: error });
  }
}

/** Whether the same call may succeed later. */
export function isTransient({ status, code }: ApiError<string>): boolean {
  return [0, 408, 429, 502, 503, 504].includes(status) || code === 'idempotency_in_progress';
}
