import type { ServiceName } from '@storefront/contracts';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';

/** The connections to one service. */
export class Upstream {
  readonly name: ServiceName;
  /** For answers that stay open: each has a connection of its own. */
  readonly streams: Dispatcher;
  /** Requests without a complete answer, those that wait for a connection included. */
  underWay = 0;
  readonly #open: () => Pool;
  readonly #retired = new Set<Pool>();
  #pool: Pool;

  constructor(name: ServiceName, url: string, timeoutMs: number) {
    const options = { connect: { timeout: 2000 }, headersTimeout: timeoutMs, allowH2: false };
    this.name = name;
    this.streams = new Pool(url, { ...options, bodyTimeout: 0 });
    this.#open = () => new Pool(url, { ...options, connections, bodyTimeout: timeoutMs * 2 });
    this.#pool = this.#open();
  }

  /** For requests whose answer comes within the time limit. */
  get pool(): Pool {
    return this.#pool;
  }

  /**
   * Replaces `pool` by a new one, when the service has announced that it closes its connections. Idle connections are
   * closed from this side first: a request sent into a connection that the service just closed may or may not have arrived.
   */
  retire(pool: Dispatcher): void {
    if (pool !== this.#pool) return;
    const retired = this.#pool;
    this.#pool = this.#open();
    this.#retired.add(retired);
    void retired.close().then(() => this.#retired.delete(retired));
  }

  /** Closes all connections. Answers under way are cut, so the app must have drained before. */
  async close(): Promise<void> {
    await Promise.all([this.#pool, this.streams, ...this.#retired].map((pool) => pool.destroy()));
  }
}

export type Upstreams = ReadonlyMap<ServiceName, Upstream>;

const connections = 128;

export function openUpstreams(addresses: ReadonlyMap<ServiceName, string>, timeoutMs: number): Upstreams {
  return new Map([...addresses].map(([name, url]) => [name, new Upstream(name, url, timeoutMs)]));
}

export async function closeUpstreams(upstreams: Upstreams): Promise<void> {
  await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
}
