import { setTimeout as wait } from 'node:timers/promises';
import type { InternalTokenIssuer } from '@storefront/access-token';
import { backOff, failureOf, isClosingRefusal, mayRetry, unavailable } from './domain/retry.ts';
import type { Upstream } from './pools.ts';

/** A service gave the gateway itself no answer: it is away, too slow, or answered 500 or above. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** Requests of the gateway itself to one service. */
export interface InternalClient {
  /** Throws NoAnswerError. */
  get(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
}

/**
 * `retryMs`: how long it tries again while the service is away; 0 for one attempt. An instance that answers 503 is no reason to
 * wait: within that time the request goes to the others, and where each has answered 503, there is no answer.
 */
export function createInternalClient(upstream: Upstream, tokens: InternalTokenIssuer, retryMs: number): InternalClient {
  async function get(path: string) {
    const deadline = performance.now() + retryMs;
    let refusals = 0;
    for (let attempts = 0; ; attempts += 1) {
      const token = await tokens.issue(upstream.name, null);
      // Nothing may be waited for between the choice and the request: the instance might be gone by then.
      const place = upstream.choose('requests');
      try {
        const { statusCode, headers, body } = await place.dispatcher.request({
          method: 'GET',
          path,
          headers: { 'x-internal-token': token, accept: 'application/json' },
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
        if (performance.now() >= deadline || !mayRetry('GET', false, failure))
          throw new NoAnswerError(`${upstream.name} did not answer: ${(error as Error).message}`, { cause: error });
      } finally {
        place.leave();
      }
      await wait(backOff(attempts, Math.random()));
    }
  }
  return { get };
}
