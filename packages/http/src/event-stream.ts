import { fastifySSE } from '@fastify/sse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** One server-sent event; `data` is sent as JSON. */
export interface ServerSentEvent {
  readonly event: string;
  /** The client sends this id back as `Last-Event-ID` when it connects again. */
  readonly id?: string;
  readonly data: unknown;
}

export interface EventStream {
  /** Resolves once the client can take the next event, or once the stream has ended. */
  send(event: ServerSentEvent): Promise<void>;
  close(): void;
}

// Often enough that no proxy in between closes the connection as unused.
const heartbeatMs = 15_000;
const reconnectAfterMs = 1000;

/** Allows the option `sse` for routes of this scope. Must be called before the routes are added. */
export async function acceptEventStreams(scope: FastifyInstance): Promise<void> {
  await fastifySSE(scope, { heartbeatInterval: heartbeatMs });
}

/**
 * Answers a request with a stream of server-sent events; the operation must have `stream`. An error before this call is
 * answered as usual. After it no time limit of the server applies. `ended` is aborted when the client leaves, or at
 * once if it has already left. To end the stream, call `close`.
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply, ended: AbortController): EventStream {
  const { sse } = reply;
  const isOver = new Promise<void>((resolve) => {
    ended.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  void reply.header('x-request-id', request.id);
  sse.keepAlive();
  sse.onClose(() => ended.abort());
  // The client may have left before the stream was opened.
  if (!sse.isConnected) ended.abort();
  sse.sendHeaders();
  reply.hijack();
  reply.raw.write(`retry: ${reconnectAfterMs}\n\n`);
  return {
    // If the client has stopped reading, this waits until the stream ends.
    send: (event) => (ended.signal.aborted ? isOver : Promise.race([sse.send(event), isOver])),
    close: () => sse.close(),
  };
}
