import { fastifySSE } from '@fastify/sse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** One server-sent event; `data` is sent as JSON. */
export interface ServerSentEvent {
  readonly event: string;
  /** What the client sends back as `Last-Event-ID` when it connects again. */
  readonly id?: string;
  readonly data: unknown;
}

export interface EventStream {
  /** Resolves once the client can take the next event, or once the stream has ended. */
  send(event: ServerSentEvent): Promise<void>;
  close(): void;
}

// Often enough that no proxy on the way takes the connection for dead.
const heartbeatMs = 15_000;
const reconnectAfterMs = 1000;

/** Lets routes of this scope have the option `sse`. To be called before they are added. */
export async function acceptEventStreams(scope: FastifyInstance): Promise<void> {
  await fastifySSE(scope, { heartbeatInterval: heartbeatMs });
}

/**
 * Answers a request of an operation with `stream` by a stream of server-sent events. An error before that is answered
 * as usual; after that no time limit of the server applies. `ended` is aborted when the client leaves, or at once
 * where it has left already; a stream that is to end must be closed.
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
    // Where the client has stopped reading, only the end of the stream ends this wait.
    send: (event) => (ended.signal.aborted ? isOver : Promise.race([sse.send(event), isOver])),
    close: () => sse.close(),
  };
}
