import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { ServiceName } from './upstreams.ts';

/** The connections to one service. */
export class Upstream {
  readonly name: ServiceName;
  /** For answers that stay open: each has a connection of its own. */
  readonly streams: Dispatcher;
  /** Requests under way, waiting ones included. */
  underWay = 0;
  readonly #open: () => Pool;
  readonly #leaving = new Set<Pool>();
  #pool: Pool;

  constructor(name: ServiceName, url: string, timeoutMs: number) {
    const options = { connect: { timeout: 2000 }, headersTimeout: timeoutMs, allowH2: false };
    this.name = name;
    this.streams = new Pool(url, { ...options, bodyTimeout: 0 });
    this.#open = () => new Pool(url, { ...options, connections, bodyTimeout: timeoutMs * 2 });
    this.#pool = this.#open();
  }

  /** For requests whose answer comes within the time-out. */
  get pool(): Pool {
    return this.#pool;
  }

  /**
   * Leaves the connections of `pool`: called when the service said that it hangs up. Idle ones are ended from this side
   * before it does, since a request that is sent into a connection just closed may or may not have arrived.
   */
  leave(pool: Dispatcher): void {
    if (pool !== this.#pool) return;
    const left = this.#pool;
    this.#pool = this.#open();
    this.#leaving.add(left);
    void left.close().then(() => this.#leaving.delete(left));
  }

  /** Ends all connections; answers under way are cut, so the app must have drained before. */
  async close(): Promise<void> {
    await Promise.all([this.#pool, this.streams, ...this.#leaving].map((pool) => pool.destroy()));
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
