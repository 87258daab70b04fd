import type { ServiceName } from '@storefront/contracts';
import type { LocalHandler } from '@storefront/process';
import { Pool, type Dispatcher } from 'undici';
import { createConnector } from './connect.ts';
import { afterFailure, chooseInstance, healthy, type Health } from './domain/choose-instance.ts';
import type { Headers } from './domain/headers.ts';
import { unavailable } from './domain/retry.ts';
import { LocalService } from './local-service.ts';

/** `requests` must be answered within the time limit; `streams` stay open, and each one has its own connection. */
type Kind = 'requests' | 'streams';

/** How instances are reached. */
interface Reach {
  readonly timeoutMs: number;
  /** Returns the handler of an instance that runs in this process; it is then called without a connection. */
  readonly localHandler?: ((url: string) => LocalHandler | undefined) | undefined;
}

/** The instances of one service. */
export class Upstream {
  readonly name: ServiceName;
  /** Requests without a complete answer, including those that wait for a connection or an instance. */
  underWay = 0;
  readonly #newInstance: (url: string) => Instance;
  #instances: readonly Instance[];
  /** Removed instances that are still answering earlier requests. */
  readonly #leaving = new Set<Instance>();
  #turn = 0;

  constructor(name: ServiceName, urls: readonly string[], reach: Reach) {
    this.name = name;
    this.#newInstance = (url) => new Instance(url, reach);
    this.#instances = urls.map(this.#newInstance);
  }

  /** How many instances there are now. */
  get size(): number {
    return this.#instances.length;
  }

  /** When the last attempt failed, as a time of `performance.now()`; -Infinity before the first failure. */
  get failedAt(): number {
    return Math.max(...this.#instances.map(({ failedAt }) => failedAt));
  }

  /**
   * Sends new requests to these instances from now on. Instances that stay keep their connections and their health.
   * Removed instances get no new requests, but finish those that they already have.
   */
  setInstances(urls: readonly string[]): void {
    const former = new Map(this.#instances.map((instance) => [instance.url, instance]));
    this.#instances = urls.map((url) => former.get(url) ?? this.#newInstance(url));
    for (const instance of former.values()) if (!urls.includes(instance.url)) this.#leave(instance);
  }

  #leave(instance: Instance): void {
    this.#leaving.add(instance);
    void instance.finish().then(() => this.#leaving.delete(instance));
  }

  /**
   * Chooses the instance for one attempt of a request. The caller must call `leave` of the returned place after the
   * attempt.
   */
  choose(kind: Kind): Place {
    const states = this.#instances.map(({ health, underWay }) => ({ ...health, underWay: underWay[kind] }));
    const at = chooseInstance(states, this.#turn++, performance.now());
    return new Place(this.#instances[at] as Instance, kind);
  }

  /** Closes all connections. Unfinished answers are cut off, so the app must have drained before. */
  async close(): Promise<void> {
    await Promise.all([...this.#instances, ...this.#leaving].map((instance) => instance.close()));
  }
}

/** One attempt of a request at one instance. */
export class Place {
  readonly dispatcher: Dispatcher;
  readonly #instance: Instance;
  readonly #kind: Kind;
  #isLeft = false;

  constructor(instance: Instance, kind: Kind) {
    this.#instance = instance;
    this.#kind = kind;
    this.dispatcher = kind === 'streams' ? instance.streams : instance.pool;
    instance.underWay[kind] += 1;
  }

  /**
   * Call this when an answer has begun. If the answer has `Connection: close`, the instance is closing its connections,
   * so its idle connections are closed here first. If a request was sent on a connection that the instance has just
   * closed, the gateway could not know whether it arrived.
   */
  answered(status: number, headers: Headers): void {
    const isClosing = headers.connection === 'close';
    if (isClosing) this.#instance.retire(this.dispatcher);
    if (isClosing || status === unavailable) this.#instance.fail();
    else this.#instance.health = healthy;
  }

  /** Call this when there was no answer, or the answer was cut off: the next requests go to other instances. */
  failed(): void {
    this.#instance.fail();
  }

  /** Call this when the attempt is over. Further calls do nothing. */
  leave(): void {
    if (!this.#isLeft) this.#instance.underWay[this.#kind] -= 1;
    this.#isLeft = true;
  }
}

const connections = 128;
// Connections are closed after this time. A load balancer behind one address, such as a cluster IP of Kubernetes,
// chooses an instance for each connection, so only new connections reach new instances.
const connectionMs = 10_000;

/** The connections to one instance of a service. */
class Instance {
  readonly url: string;
  readonly streams: Dispatcher;
  readonly underWay: Record<Kind, number> = { requests: 0, streams: 0 };
  health: Health = healthy;
  /** When the last attempt failed, as a time of `performance.now()`; -Infinity before the first failure. */
  failedAt = -Infinity;
  readonly #open: () => Pool | LocalService;
  /** Replaced pools that are still answering requests. Each promise resolves when the pool has answered all of them. */
  readonly #retired = new Map<Pool | LocalService, Promise<void>>();
  #pool: Pool | LocalService;

  constructor(url: string, { timeoutMs, localHandler }: Reach) {
    this.url = url;
    const handle = localHandler?.(url);
    if (handle) {
      this.#open = () => new LocalService(handle, timeoutMs);
      this.streams = this.#open();
      this.#pool = this.#open();
      return;
    }
    const options = { connect: createConnector(timeoutMs), headersTimeout: timeoutMs };
    this.streams = new Pool(url, { ...options, bodyTimeout: 0 });
    const forRequests = { ...options, connections, clientTtl: connectionMs, bodyTimeout: timeoutMs * 2 };
    this.#open = () => new Pool(url, forRequests);
    this.#pool = this.#open();
  }

  get pool(): Dispatcher {
    return this.#pool;
  }

  fail(): void {
    this.failedAt = performance.now();
    this.health = afterFailure(this.health, this.failedAt);
  }

  /** Replaces the pool by a new one; the old pool still answers the requests that it has. */
  retire(pool: Dispatcher): void {
    if (pool !== this.#pool || this.#pool.closed) return;
    const retired = this.#pool;
    this.#pool = this.#open();
    this.#retired.set(
      retired,
      retired.close().then(() => void this.#retired.delete(retired)),
    );
  }

  /** Closes each connection after its last request is answered. */
  async finish(): Promise<void> {
    await Promise.all([this.#pool.close(), this.streams.close(), ...this.#retired.values()]);
  }

  /** Closes all connections at once and cuts off unfinished answers. */
  async close(): Promise<void> {
    await Promise.all([this.#pool, this.streams, ...this.#retired.keys()].map((pool) => pool.destroy()));
  }
}

export type Upstreams = ReadonlyMap<ServiceName, Upstream>;

export function openUpstreams(addresses: ReadonlyMap<ServiceName, readonly string[]>, reach: Reach): Upstreams {
  return new Map([...addresses].map(([name, urls]) => [name, new Upstream(name, urls, reach)]));
}

export async function closeUpstreams(upstreams: Upstreams): Promise<void> {
  await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
}
