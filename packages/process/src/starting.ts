import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as nextLoop } from 'node:timers/promises';

/** What a service reports about its start to the process that runs it. */
export interface Starting {
  /**
   * Waits for a server that requests need, and serves the probes from now on. Rejects at once when the process must
   * end, even if `opening` is unfinished. Gateways must not use this: when a gateway refuses connections, clients go to
   * another gateway, but they would take a 503 for an answer.
   */
  waitFor<Opened>(server: string, opening: Promise<Opened>): Promise<Opened>;
  /** Must be called right before the service listens. Afterwards its port is free. */
  freePort(): Promise<void>;
}

/** For a start that is not watched, for example in a process that several services share. */
export const unwatchedStart: Starting = { waitFor: (_server, opening) => opening, freePort: async () => {} };

interface Place {
  readonly host: string;
  readonly port: number;
  /** Aborting this signal ends all waiting. */
  readonly signal: AbortSignal;
}

// Longer than any answer that is still being sent when the service takes over the port.
const lastAnswersMs = 1000;

/**
 * Serves the probes while a service waits, until the service itself listens. `/livez` is 200. `/readyz` is 503 and
 * names the servers that the service waits for. Everything else is 503 with `Connection: close`, which tells gateways
 * that nothing was done. With port 0 nothing is served, because nobody knows the port yet.
 */
export function serveWhileStarting({ host, port, signal }: Place): Starting & AsyncDisposable {
  const checks: Record<string, { readonly ok: boolean; readonly reason?: string }> = {};
  const server = createServer((request, response) => {
    // The request is read completely, because closing a connection with unread data may lose the answer.
    request.resume().once('end', () => answer(request, response, checks));
  });
  let listening: Promise<unknown> | undefined;
  const listen = () => (listening ??= port === 0 ? Promise.resolve() : once(server.listen(port, host), 'listening'));

  async function freePort(): Promise<void> {
    if (!server.listening) return;
    // Accepts connections that arrived while the process was busy. Connections that are not accepted would be reset.
    await nextLoop();
    await nextLoop();
    // Calls the method of `net`, because the method of `http` closes idle connections at once, although a request may
    // be on its way.
    Server.prototype.close.call(server);
    setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
  }

  return {
    async waitFor(name, opening) {
      checks[name] = { ok: false, reason: 'waited for' };
      const [opened] = await Promise.all([untilAborted(opening, signal), listen()]);
      checks[name] = { ok: true };
      return opened;
    },
    freePort,
    [Symbol.asyncDispose]: freePort,
  };
}

const unavailable = {
  type: '/docs/guides/errors#service_unavailable',
  title: 'Service Unavailable',
  status: 503,
  detail: 'The service is starting.',
  code: 'service_unavailable',
};

function answer(request: IncomingMessage, response: ServerResponse, checks: object): void {
  const send = (status: number, body: object, type = 'application/json') =>
    response
      .writeHead(status, { 'content-type': `${type}; charset=utf-8`, connection: 'close', 'retry-after': '1' })
      .end(JSON.stringify(body));
  if (request.url === '/livez') send(200, { status: 'ok' });
  else if (request.url === '/readyz') send(503, { status: 'not-ready', checks });
  else send(503, unavailable, 'application/problem+json');
}

async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
