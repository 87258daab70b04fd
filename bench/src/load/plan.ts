/** In the body of a request it is replaced by another text each time that it is sent. */
export const uniqueText = '{unique}';

/** In the body of a request each one is replaced by another UUID, each time that it is sent. */
export const uniqueId = '{uuid}';

/** A request that a client sends. */
export interface LoadRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A load on a server. Each client repeats its requests and sends the next one as soon as the last is answered. */
export interface LoadPlan {
  readonly url: string;
  readonly seconds: number;
  /** The requests of each client. */
  readonly clients: readonly (readonly LoadRequest[])[];
}

export interface LoadResult {
  /** Requests with a 2xx response. */
  readonly requests: number;
  readonly seconds: number;
  /** Responses whose times count: those after the first 0.3 s. */
  readonly measured: number;
  /** Response times of single requests in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 2xx, timeouts and lost connections. */
  readonly failed: number;
  /** What became of the requests that failed, by how many: `{ "401": 9 }`. */
  readonly failures: Readonly<Record<string, number>>;
}
