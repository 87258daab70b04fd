import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { LocalHandler } from '@storefront/process';
import { Dispatcher, errors } from 'undici';

/**
 * Calls a service of this process without a connection: requests and answers are passed as objects, where HTTP would be
 * written and parsed again. The service gets the same headers. An answer that does not begin within `timeoutMs`
 * milliseconds, or within the `headersTimeout` of its request, fails with a HeadersTimeoutError, as on a connection.
 */
export class LocalService extends Dispatcher {
  readonly #handle: LocalHandler;
  readonly #timeoutMs: number;
  readonly #underWay = new Set<LocalExchange>();
  closed = false;

  constructor(handle: LocalHandler, timeoutMs: number) {
    super();
    this.#handle = handle;
    this.#timeoutMs = timeoutMs;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new LocalExchange(options, handler, this.#timeoutMs);
    this.#underWay.add(exchange);
    exchange.answer.once('close', () => this.#underWay.delete(exchange));
    handler.onRequestStart?.(exchange, null);
    if (!exchange.aborted)
      this.#handle(exchange.request as IncomingMessage, exchange.answer as unknown as ServerResponse);
    return true;
  }

  /** Cuts off unfinished answers. */
  override async destroy(): Promise<void> {
    this.closed = true;
    for (const exchange of this.#underWay) exchange.abort(new errors.ClientDestroyedError());
  }

  /** Resolves once every request is answered. */
  override async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.#underWay].map(({ answer }) => new Promise((resolve) => answer.once('close', resolve))));
  }
}

/** One request and its answer. Passes the answer to undici's handler as a connection would. */
class LocalExchange implements Dispatcher.DispatchController {
  readonly request: Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'complete'> & Readable;
  readonly answer: LocalAnswer;
  aborted = false;
  paused = false;
  reason: Error | null = null;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #timer: NodeJS.Timeout;
  #goOn: (() => void) | undefined;

  constructor(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, timeoutMs: number) {
    this.#handler = handler;
    this.request = localRequest(options);
    this.answer = new LocalAnswer({
      onStart: (status, headers) => {
        // Too late: the caller has been told that there is no answer.
        if (this.aborted) return;
        clearTimeout(this.#timer);
        handler.onResponseStart?.(this, status, headers);
      },
      onData: (chunk, done) => {
        handler.onResponseData?.(this, chunk);
        if (this.paused) this.#goOn = done;
        else done();
      },
      onEnd: () => handler.onResponseEnd?.(this, {}),
      onCutOff: (error) => this.#fail(error),
    });
    this.#timer = setTimeout(() => this.abort(new errors.HeadersTimeoutError()), options.headersTimeout ?? timeoutMs);
  }

  abort(reason: Error): void {
    if (this.answer.writableFinished) return;
    this.#fail(reason);
    this.request.destroy();
    this.answer.destroy();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }

  #fail(error: Error): void {
    if (this.aborted) return;
    clearTimeout(this.#timer);
    this.aborted = true;
    this.reason = error;
    this.#handler.onResponseError?.(this, error);
  }
}

/** `headers` is an object, or a list of names and values as the gateway makes it for its clients' requests. */
function localRequest({ method, path, headers, body }: Dispatcher.DispatchOptions): LocalExchange['request'] {
  const named: IncomingHttpHeaders = {};
  if (Array.isArray(headers))
    for (let at = 0; at < headers.length; at += 2) named[headers[at] as string] = headers[at + 1] as string;
  else Object.assign(named, headers);
  const content = (body ?? null) as Buffer | null;
  if (content) named['content-length'] = String(content.length);
  const request = new Readable({ read() {} });
  if (content) request.push(content);
  request.push(null);
  return Object.assign(request, {
    method,
    url: path,
    headers: named,
    complete: true,
    httpVersion: '1.1',
    socket: null,
  });
}

interface AnswerEvents {
  readonly onStart: (status: number, headers: IncomingHttpHeaders) => void;
  readonly onData: (chunk: Buffer, done: () => void) => void;
  readonly onEnd: () => void;
  /** The service has ended the answer without its proper end. */
  readonly onCutOff: (error: Error) => void;
}

/** What Fastify and its plugins use of Node's ServerResponse. */
class LocalAnswer extends Writable {
  statusCode = 200;
  headersSent = false;
  readonly #events: AnswerEvents;
  readonly #headers = new Map<string, OutgoingHttpHeader>();

  constructor(events: AnswerEvents) {
    super();
    this.#events = events;
  }

  setHeader(name: string, value: OutgoingHttpHeader): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  getHeaders(): Record<string, OutgoingHttpHeader> {
    return Object.fromEntries(this.#headers);
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  writeHead(status: number, headers: Readonly<Record<string, OutgoingHttpHeader | undefined>> = {}): this {
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.setHeader(name, value);
    this.flushHeaders();
    return this;
  }

  flushHeaders(): void {
    if (this.headersSent) return;
    this.headersSent = true;
    const headers: IncomingHttpHeaders = {};
    for (const [name, value] of this.#headers) headers[name] = Array.isArray(value) ? value : String(value);
    this.#events.onStart(this.statusCode, headers);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.flushHeaders();
    this.#events.onData(chunk, done);
  }

  override _final(done: () => void): void {
    this.flushHeaders();
    this.#events.onEnd();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.writableFinished) this.#events.onCutOff(error ?? new errors.SocketError('the answer was cut off'));
    done(error);
  }
}
