import { onceRevocationsAreKnown } from '../../client.ts';
import type { LeakWatch, Seen } from './leaks.ts';

export interface Call {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer stays open: only its head is read. */
  readonly stream?: boolean;
}

export type Caller = (method: string, path: string, call?: Call) => Promise<Seen>;

/** Calls the API as anybody could, and looks at every answer for what must not be in it. */
export function createCaller(gateway: string, leaks: LeakWatch): Caller {
  const callOnce = createOneCall(gateway, leaks);
  return (method, path, call) => onceRevocationsAreKnown(`${method} ${path}`, () => callOnce(method, path, call));
}

function createOneCall(gateway: string, leaks: LeakWatch): Caller {
  return async (method, path, { token, body, raw, headers, stream } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const ended = new AbortController();
    const answer = await fetch(new URL(path, gateway), {
      method,
      headers: {
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
      signal: ended.signal,
    });
    if (stream && answer.ok) {
      ended.abort();
      return { status: answer.status, headers: answer.headers, body: null, text: '' };
    }
    const text = await answer.text();
    const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '') && text !== '';
    const seen: Seen = { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : null, text };
    leaks.look(`${method} ${path}`, seen);
    return seen;
  };
}
