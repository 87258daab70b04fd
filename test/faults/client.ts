import { setTimeout as wait } from 'node:timers/promises';
import { tokenIgnoredHeader } from '@storefront/contracts';
import type { Random } from './random.ts';

export interface Call {
  readonly token?: string | undefined;
  readonly body?: object;
  /** Sent as `Idempotency-Key`, the same at each try. */
  readonly key?: string;
  /** Sent besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of a call after all its tries. */
export interface Reply {
  /** The status of the last response; 0 if no try had a valid response. */
  readonly status: number;
  readonly code: string | undefined;
  readonly body: any;
  /** The gateway that sent the response. */
  readonly gateway: string;
  /** The number of earlier tries that failed; the server may have carried them out all the same. */
  readonly uncertainTries: number;
  /** From the `Retry-After` header; 0 without it. */
  readonly retryAfterMs: number;
  /** Whether the response is the one for everybody, because the token of the call was not valid any more. */
  readonly isTokenIgnored: boolean;
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** How many effects a call may have: one if it was acknowledged, none or one if its outcome is uncertain. */
export function effectsOf(reply: Reply): { atLeast: number; atMost: number } {
  if (isSuccess(reply)) return { atLeast: 1, atMost: 1 };
  return { atLeast: 0, atMost: reply.uncertainTries > 0 ? 1 : 0 };
}

/** Calls the API through any gateway, and retries after lost responses and server errors. */
export interface Client {
  call(method: string, path: string, call?: Call): Promise<Reply>;
  /** Makes one try at one gateway. */
  once(gateway: string, method: string, path: string, call?: Call): Promise<Reply>;
  readonly stats: { tries: number; unanswered: number; serverErrors: number; readonly statuses: Map<string, number> };
}

const tryTimeoutMs = 12_000;
const maximumTries = 8;
const longestPauseMs = 3000;

export function createClient(gateways: readonly string[], random: Random): Client {
  const stats = { tries: 0, unanswered: 0, serverErrors: 0, statuses: new Map<string, number>() };

  async function once(
    gateway: string,
    method: string,
    path: string,
    { token, body, key, headers }: Call = {},
  ): Promise<Reply> {
    stats.tries += 1;
    try {
      const response = await fetch(`${gateway}${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(tryTimeoutMs),
      });
      const text = await response.text();
      const { status } = response;
      const parsed = text === '' ? undefined : JSON.parse(text);
      const outcome = `${status}${status >= 400 ? ` ${parsed?.code}` : ''}`;
      stats.statuses.set(outcome, (stats.statuses.get(outcome) ?? 0) + 1);
      if (status >= 500) stats.serverErrors += 1;
      const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
      const isTokenIgnored = response.headers.has(tokenIgnoredHeader);
      return { status, code: parsed?.code, body: parsed, gateway, uncertainTries: 0, retryAfterMs, isTokenIgnored };
    } catch {
      stats.unanswered += 1;
      const nothing = { status: 0, code: undefined, body: undefined, retryAfterMs: 0, isTokenIgnored: false };
      return { ...nothing, gateway, uncertainTries: 0 };
    }
  }

  return {
    stats,
    once,
    async call(method, path, call) {
      for (let tries = 0; ; tries += 1) {
        const reply = await once(random.pick(gateways), method, path, call);
        const isFinal = reply.status > 0 && reply.status < 500 && reply.code !== 'idempotency_in_progress';
        if (isFinal) return { ...reply, uncertainTries: tries };
        if (tries === maximumTries - 1) return { ...reply, status: 0, uncertainTries: tries + 1 };
        const pause = Math.max(reply.retryAfterMs, 150 * 2 ** tries);
        await wait(Math.min(pause, longestPauseMs) * (0.5 + Math.random() / 2));
      }
    },
  };
}
