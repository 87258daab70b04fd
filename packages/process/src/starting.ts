import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as nextLoop } from 'node:timers/promises';

/** What a service reports of its start to the process that runs it. */
export interface Starting {
  /**
   * Waits for a server that requests need, and has the probes served from then on. Rejects at once, whatever becomes of
   * `opening`, when the process is to end. Not for gateways: their clients go to another one where a connection is refused, and
   * would take 503 for an answer.
   */
  waitFor<Opened>(server: string, opening: Promise<Opened>): Promise<Opened>;
  /** To be called right before the service listens: its port is free from then on. */
  freePort(): Promise<void>;
}

/** For a start that nothing watches, as in a process that several services share. */
export const unwatchedStart: Starting = { waitFor: (_server, opening) => opening, freePort: async () => {} };

interface Place {
  readonly host: string;
  readonly port: number;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

// Longer than an answer takes that is under way when the service takes the port over.
const lastAnswersMs = 1000;

/**
 * Serves the probes while a service waits, until it listens itself: the process lives, and `/readyz` is 503 and names what is
 * waited for. All else is 503 with `Connection: close`, by which gateways know that nothing was done. Port 0 is known to nobody
 * yet, so nothing is served there.
 */
export function serveWhileStarting({ host, port, signal }: Place): Starting & AsyncDisposable {
  const checks: Record<string, { readonly ok: boolean; readonly reason?: string }> = {};
  const server = createServer((request, response) => {
    // Read to its end: closing a connection with something unread in it may lose the answer.
    request.resume().once('end', () => answer(request, response, checks));
  });
  let listening: Promise<unknown> | undefined;
  const listen = () => (listening ??= port === 0 ? Promise.resolve() : once(server.listen(port, host), 'listening'));

  async function freePort(): Promise<void> {
    if (!server.listening) return;
    // Connections that came while the process was busy are accepted now; those not accepted would be reset.
    await nextLoop();
    await nextLoop();
    // The method of `net`: the one of `http` closes idle connections at once, though a request may be on its way.
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
  type: 'urn:storefront:problem:service_unavailable',
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
