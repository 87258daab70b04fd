import { setTimeout as wait } from 'node:timers/promises';
import type { InternalTokenIssuer } from '@storefront/access-token';
import { backOff, failureOf, isClosingRefusal, mayRetry, unavailable } from './domain/retry.ts';
import type { Upstream } from './pools.ts';

/** The gateway's own request got no usable answer: the service is unreachable, too slow, or answered 500 or above. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** Sends the gateway's own requests to one service. */
export interface InternalClient {
  /** Throws NoAnswerError if the service gives no answer below 500. */
  get(path: string): Promise<InternalAnswer>;
  /** As `get`, but a request is not sent again where the service may have got it. */
  post(path: string, body: object): Promise<InternalAnswer>;
}

interface InternalAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * `retryMs`: for how many milliseconds requests are tried again while the service is unreachable; 0 for one attempt. If
 * an instance answers 503, the other instances are tried within this time. Once there were as many 503 answers as
 * instances, NoAnswerError is thrown at once.
 */
export function createInternalClient(upstream: Upstream, tokens: InternalTokenIssuer, retryMs: number): InternalClient {
  async function send(method: 'GET' | 'POST', path: string, content?: object): Promise<InternalAnswer> {
    const deadline = performance.now() + retryMs;
    let refusals = 0;
    for (let attempts = 0; ; attempts += 1) {
      const token = await tokens.issue(upstream.name, null);
      // No `await` may stand between this choice and the request: the instance might be gone by then.
      const place = upstream.choose('requests');
      try {
        const { statusCode, headers, body } = await place.dispatcher.request({
          method,
          path,
          headers: {
            'x-internal-token': token,
            accept: 'application/json',
            ...(content && { 'content-type': 'application/json' }),
          },
          body: content ? JSON.stringify(content) : null,
        });
        const text = await body.text();
        place.answered(statusCode, headers);
        if (statusCode < 500) return { status: statusCode, body: JSON.parse(text) as unknown };
        if (statusCode === unavailable && !isClosingRefusal(statusCode, headers)) refusals += 1;
        if (statusCode !== unavailable || refusals === upstream.size || performance.now() >= deadline)
          throw new NoAnswerError(`${upstream.name} answered ${statusCode}`);
      } catch (error) {
        if (error instanceof NoAnswerError) throw error;
        const failure = failureOf(error as Error);
        if (failure !== 'malformed-answer') place.failed();
        if (performance.now() >= deadline || !mayRetry(method, false, failure))
          throw new NoAnswerError(`${upstream.name} did not answer: ${(error as Error).message}`, { cause: error });
      } finally {
        place.leave();
      }
      await wait(backOff(attempts, Math.random()));
    }
  }
  return { get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) };
}
