import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { commonErrors } from '@storefront/contracts';
import { sendProblem, type Draining } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { addClientHeaders, tokensRevokedHeader } from './domain/headers.ts';
import { backOff, failureOf, isClosingRefusal, mayRetry, type Failure } from './domain/retry.ts';
import type { PublicRoute } from './domain/route-table.ts';
import type { Place, Upstream } from './pools.ts';
import type { OpenStream, Streams } from './streams.ts';

/** The settings and functions that all exchanges share. */
export interface Shared {
  readonly streams: Streams;
  readonly draining: Draining;
  /** Called with the header in which identity states revoked tokens, before the client gets the answer. */
  readonly onTokensRevoked: (header: string) => void;
  /** Called when the whole answer has arrived from the service, while the client may still be receiving it. */
  readonly onAnswered: (request: FastifyRequest, answer: ServerResponse) => void;
  /** How long a request waits for a service that is unreachable, in milliseconds. */
  readonly retryMs: number;
}

// Up to this many bytes of an answer are buffered, so that a slow client does not keep the service's connection.
const bufferedBytes = 256 * 1024;
const clientGone = new Error('the client has disconnected');
// Clients may give up before the service's time limit. A service that has not begun its answer after this time counts
// as failed, because it may be hanging.
const slowMs = 1000;

/** Forwards one request to a service and the answer to the client. Sends the request again where that is safe. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #shared: Shared;
  readonly #upstream: Upstream;
  readonly #route: PublicRoute;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #raw: ServerResponse;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #deadline: number;
  /** The instance of the current attempt. */
  #place: Place | undefined;
  #attemptedAt = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #stream: OpenStream | undefined;
  #attempts = 0;
  /** This attempt was refused by a service that is closing; its answer is not for the client. */
  #isClosingRefusal = false;
  #answerStarted = false;
  #clientGone = false;
  #isUnderWay = true;

  constructor(
    shared: Shared,
    upstream: Upstream,
    route: PublicRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    forwarded: Pick<Dispatcher.DispatchOptions, 'path' | 'body' | 'headers'>,
  ) {
    this.#shared = shared;
    this.#upstream = upstream;
    this.#route = route;
    this.#request = request;
    this.#reply = reply;
    this.#raw = reply.raw;
    this.#deadline = performance.now() + shared.retryMs;
    // Services have no HEAD routes: the request is sent as a GET, and Node leaves out the body of the answer.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const { takesMs } = route.operation;
    this.#options = { ...forwarded, method, ...(takesMs !== undefined && { headersTimeout: takesMs }) };
  }

  start(): void {
    // If the client has already disconnected, there will be no `close` event.
    if (this.#raw.closed) return;
    this.#upstream.underWay += 1;
    this.#raw.once('close', () => this.#onClose());
    this.#attempt();
  }

  #attempt(): void {
    this.#attempts += 1;
    this.#isClosingRefusal = false;
    this.#attemptedAt = performance.now();
    this.#place = this.#upstream.choose(this.#route.operation.stream ? 'streams' : 'requests');
    this.#place.dispatcher.dispatch(this.#options, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#clientGone) controller.abort(clientGone);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, received: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#place?.answered(status, received);
    if (isClosingRefusal(status, received)) {
      this.#isClosingRefusal = true;
      return;
    }
    const revoked = received[tokensRevokedHeader];
    if (revoked !== undefined && this.#upstream.name === 'identity') {
      for (const value of typeof revoked === 'string' ? revoked.split(', ') : revoked)
        this.#shared.onTokensRevoked(value);
    }
    this.#answerStarted = true;
    const headers = this.#reply.getHeaders();
    addClientHeaders(headers, received);
    if (this.#shared.draining.isDraining()) headers.connection = 'close';
    this.#reply.hijack();
    this.#raw.writeHead(status, headers as Record<string, number | string | string[]>);
    if (received['content-type']?.startsWith('text/event-stream')) this.#openStream(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isClosingRefusal || this.#raw.write(chunk) || this.#raw.writableLength < bufferedBytes) return;
    controller.pause();
    this.#raw.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#isClosingRefusal) {
      this.#onFailure('not-processed');
      return;
    }
    this.#place?.leave();
    this.#releaseUpstream();
    if (!this.#stream && !this.#clientGone) this.#shared.onAnswered(this.#request, this.#raw);
    this.#raw.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#clientGone) return;
    const failure = failureOf(error);
    if (failure !== 'malformed-answer') this.#place?.failed();
    // The answer was cut off. Without a proper end the client notices that a part is missing.
    if (this.#answerStarted) this.#raw.destroy();
    else this.#onFailure(failure, error);
  }

  #onFailure(failure: Failure, error?: Error): void {
    this.#place?.leave();
    this.#place = undefined;
    if (this.#clientGone) return;
    const hasKey = this.#request.headers['idempotency-key'] !== undefined;
    const { method } = this.#options;
    if (performance.now() < this.#deadline && mayRetry(method, hasKey, failure)) {
      this.#retryTimer = setTimeout(() => this.#attempt(), backOff(this.#attempts, Math.random()));
      return;
    }
    const { name } = this.#upstream;
    this.#request.log.warn({ service: name, attempts: this.#attempts, failure, err: error }, 'no answer');
    this.#releaseUpstream();
    const refusal = failure === 'timeout' ? commonErrors.upstreamTimeout() : commonErrors.serviceUnavailable();
    sendProblem(this.#request, this.#reply, refusal);
  }

  #openStream(controller: Dispatcher.DispatchController): void {
    this.#raw.flushHeaders();
    if (this.#request.method === 'HEAD') {
      this.#raw.end();
      controller.abort(clientGone);
      return;
    }
    this.#stream = {
      access: this.#request.access,
      end: () => void (this.#raw.writableEnded || this.#raw.end(() => controller.abort(clientGone))),
    };
    this.#shared.streams.add(this.#stream);
    // From now on this counts as a stream and no longer as a request: an open stream costs only memory.
    this.#releaseUpstream();
  }

  #releaseUpstream(): void {
    if (this.#isUnderWay) this.#upstream.underWay -= 1;
    this.#isUnderWay = false;
  }

  #onClose(): void {
    this.#clientGone = true;
    clearTimeout(this.#retryTimer);
    if (this.#stream) this.#shared.streams.remove(this.#stream);
    const mayTakeMs = this.#route.operation.takesMs ?? slowMs;
    if (!this.#answerStarted && performance.now() - this.#attemptedAt >= mayTakeMs) this.#place?.failed();
    this.#place?.leave();
    this.#releaseUpstream();
    if (!this.#raw.writableFinished) this.#controller?.abort(clientGone);
  }
}
