import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from './random.ts';

interface Call {
  readonly token?: string | undefined;
  readonly body?: object;
  /** Sent as `Idempotency-Key`, the same at each try. */
  readonly key?: string;
}

/** What came of a call, however many tries it took. */
export interface Reply {
  /** The last answer's; 0 where none of the tries was answered well. */
  readonly status: number;
  readonly code: string | undefined;
  readonly body: any;
  /** Which gateway gave it. */
  readonly gateway: string;
  /** Tries that may have been carried out though their answer was lost. */
  readonly doubtful: number;
  /** How long the answer asks to wait; 0 where it says nothing of that. */
  readonly retryAfterMs: number;
}

/** Calls the API as a good client does: through any gateway, again when there was no answer or the server was at fault. */
export interface Client {
  call(method: string, path: string, call?: Call): Promise<Reply>;
  /** One try at one gateway. */
  once(gateway: string, method: string, path: string, call?: Call): Promise<Reply>;
  readonly stats: { tries: number; unanswered: number; serverErrors: number; readonly statuses: Map<string, number> };
}

const tryMs = 12_000;
const mostTries = 8;
const longestPauseMs = 3000;

export function createClient(gateways: readonly string[], random: Random): Client {
  const stats = { tries: 0, unanswered: 0, serverErrors: 0, statuses: new Map<string, number>() };

  async function once(gateway: string, method: string, path: string, { token, body, key }: Call = {}): Promise<Reply> {
    stats.tries += 1;
    try {
      const answer = await fetch(`${gateway}${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(tryMs),
      });
      const text = await answer.text();
      const parsed = text === '' ? undefined : JSON.parse(text);
      const seen = `${answer.status}${answer.status >= 400 ? ` ${parsed?.code}` : ''}`;
      stats.statuses.set(seen, (stats.statuses.get(seen) ?? 0) + 1);
      if (answer.status >= 500) stats.serverErrors += 1;
      const retryAfterMs = Number(answer.headers.get('retry-after') ?? 0) * 1000;
      return { status: answer.status, code: parsed?.code, body: parsed, gateway, doubtful: 0, retryAfterMs };
    } catch {
      stats.unanswered += 1;
      return { status: 0, code: undefined, body: undefined, gateway, doubtful: 0, retryAfterMs: 0 };
    }
  }

  return {
    stats,
    once,
    async call(method, path, call) {
      for (let tries = 0; ; tries += 1) {
        const reply = await once(random.pick(gateways), method, path, call);
        const isFinal = reply.status > 0 && reply.status < 500 && reply.code !== 'idempotency_in_progress';
        if (isFinal) return { ...reply, doubtful: tries };
        if (tries === mostTries - 1) return { ...reply, status: 0, doubtful: tries + 1 };
        const pause = Math.max(reply.retryAfterMs, 150 * 2 ** tries);
        await wait(Math.min(pause, longestPauseMs) * (0.5 + Math.random() / 2));
      }
    },
  };
}
