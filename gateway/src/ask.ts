import { setTimeout as wait } from 'node:timers/promises';
import type { InternalTokenIssuer } from '@storefront/access-token';
import { backOff, failureOf, isClosingRefusal, mayRetry } from './domain/retry.ts';
import type { Upstream } from './pools.ts';

/** The service could not be asked: it is away, slow, or failed itself. */
export class AskError extends Error {
  override readonly name = 'AskError';
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Asks one service something on the gateway's own behalf. */
export type Ask = (path: string) => Promise<Answer>;

/**
 * GET with the gateway's word that nobody is calling. Tries again while the service is away, for up to `patienceMs`; then,
 * and for every answer of 500 and above, an AskError.
 */
export function createAsk(upstream: Upstream, tokens: InternalTokenIssuer, patienceMs: number): Ask {
  return async (path) => {
    const deadline = performance.now() + patienceMs;
    for (let tries = 0; ; tries += 1) {
      try {
        const { statusCode, headers, body } = await upstream.pool.request({
          method: 'GET',
          path,
          headers: { 'x-internal-token': await tokens.issue(upstream.name, null), accept: 'application/json' },
        });
        const text = await body.text();
        if (statusCode < 500) return { status: statusCode, body: JSON.parse(text) as unknown };
        if (!isClosingRefusal(statusCode, headers) || performance.now() >= deadline)
          throw new AskError(`${upstream.name} answered ${statusCode}`);
      } catch (error) {
        if (error instanceof AskError) throw error;
        if (performance.now() >= deadline || !mayRetry('GET', false, failureOf(error as Error)))
          throw new AskError(`${upstream.name} can't be asked: ${(error as Error).message}`, { cause: error });
      }
      await wait(backOff(tries, Math.random()));
    }
  };
}
