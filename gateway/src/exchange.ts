import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { sendProblem, unavailable } from '@storefront/service-kit';
import type { Draining, Problem } from '@storefront/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { addClientHeaders, tokensRevokedHeader } from './domain/headers.ts';
import { backOff, failureOf, isClosingRefusal, mayRetry } from './domain/retry.ts';
import type { Failure } from './domain/retry.ts';
import type { Upstream } from './pools.ts';
import type { OpenStream, Streams } from './streams.ts';
import type { PublicRoute } from './upstreams.ts';

/** What all exchanges share. */
export interface Shared {
  readonly streams: Streams;
  readonly draining: Draining;
  /** Called with what identity says about tokens that died, before the client sees the answer. */
  readonly onTokensRevoked: (header: string) => void;
  /** Called when the whole answer is there and only the client has still to take it. */
  readonly onAnswered: (request: FastifyRequest) => void;
  /** How long a request waits for a service that is away, in milliseconds. */
  readonly retryMs: number;
}

// An answer up to this size leaves its service at once, however slowly the client takes it.
const heldBytes = 256 * 1024;
const clientGone = new Error('the client has left');

/** One request of a client, carried to a service and back; tried again where that is safe. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #shared: Shared;
  readonly #upstream: Upstream;
  readonly #route: PublicRoute;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #raw: ServerResponse;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #deadline: number;
  #used: Dispatcher | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #stream: OpenStream | undefined;
  #tries = 0;
  #refused = false;
  #begun = false;
  #left = false;
  #isUnderWay = true;

  constructor(
    shared: Shared,
    upstream: Upstream,
    route: PublicRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    body: Buffer | null,
    headers: string[],
  ) {
    this.#shared = shared;
    this.#upstream = upstream;
    this.#route = route;
    this.#request = request;
    this.#reply = reply;
    this.#raw = reply.raw;
    this.#deadline = performance.now() + shared.retryMs;
    // A HEAD is the GET without its body, which Node leaves out: services know GET alone.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    this.#options = { path: request.url, method, headers, body };
  }

  start(): void {
    this.#upstream.underWay += 1;
    this.#raw.once('close', () => this.#onClose());
    this.#try();
  }

  #try(): void {
    this.#tries += 1;
    this.#refused = false;
    this.#used = this.#route.stream ? this.#upstream.streams : this.#upstream.pool;
    this.#used.dispatch(this.#options, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#left) controller.abort(clientGone);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, answered: IncomingHttpHeaders): void {
    if (status < 200) return;
    if (answered.connection === 'close' && this.#used) this.#upstream.leave(this.#used);
    if (isClosingRefusal(status, answered)) {
      this.#refused = true;
      return;
    }
    const revoked = answered[tokensRevokedHeader];
    if (revoked !== undefined && this.#upstream.name === 'identity') {
      for (const value of typeof revoked === 'string' ? revoked.split(', ') : revoked)
        this.#shared.onTokensRevoked(value);
    }
    this.#begun = true;
    const headers = this.#reply.getHeaders();
    addClientHeaders(headers, answered);
    if (this.#shared.draining.isDraining()) headers.connection = 'close';
    this.#reply.hijack();
    this.#raw.writeHead(status, headers as Record<string, number | string | string[]>);
    if (answered['content-type']?.startsWith('text/event-stream')) this.#openStream(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#refused || this.#raw.write(chunk) || this.#raw.writableLength < heldBytes) return;
    controller.pause();
    this.#raw.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#refused) {
      this.#again('untouched');
      return;
    }
    this.#leaveUpstream();
    if (!this.#stream && !this.#left) this.#shared.onAnswered(this.#request);
    this.#raw.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#left) return;
    // Cut in the middle: only an end that is no proper end tells the client that something is missing.
    if (this.#begun) this.#raw.destroy();
    else this.#again(failureOf(error), error);
  }

  #again(failure: Failure, error?: Error): void {
    if (this.#left) return;
    const hasKey = this.#request.headers['idempotency-key'] !== undefined;
    const { method } = this.#options;
    if (performance.now() < this.#deadline && mayRetry(method, hasKey, failure)) {
      this.#retryTimer = setTimeout(() => this.#try(), backOff(this.#tries, Math.random()));
      return;
    }
    this.#request.log.warn({ service: this.#upstream.name, tries: this.#tries, failure, err: error }, 'no answer');
    this.#leaveUpstream();
    sendProblem(this.#request, this.#reply, problemOf(failure));
  }

  #openStream(controller: Dispatcher.DispatchController): void {
    this.#raw.flushHeaders();
    if (this.#request.method === 'HEAD') {
      this.#raw.end();
      controller.abort(clientGone);
      return;
    }
    this.#stream = { access: this.#request.access, end: () => this.#raw.end(() => controller.abort(clientGone)) };
    this.#shared.streams.add(this.#stream);
    // From here on it counts as a stream: it needs nothing but memory.
    this.#leaveUpstream();
  }

  #leaveUpstream(): void {
    if (this.#isUnderWay) this.#upstream.underWay -= 1;
    this.#isUnderWay = false;
  }

  #onClose(): void {
    this.#left = true;
    clearTimeout(this.#retryTimer);
    if (this.#stream) this.#shared.streams.remove(this.#stream);
    this.#leaveUpstream();
    if (!this.#raw.writableFinished) this.#controller?.abort(clientGone);
  }
}

function problemOf(failure: Failure): Problem {
  return failure === 'timeout'
    ? unavailable('upstream_timeout', 'The service did not answer in time; whether it did the work is not known.')
    : unavailable('service_unavailable', 'The service that answers this is away for the moment.');
}
