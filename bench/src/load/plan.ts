/** One request of a client. */
export interface Request {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A load: each client sends its requests one after the other, over and over, each as soon as the last is answered. */
export interface LoadPlan {
  readonly url: string;
  readonly seconds: number;

  /** The round of each client. */
  readonly clients: readonly (readonly Request[])[];
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Of a single request, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were no 2xx, time-outs and lost connections. */
  readonly failed: number;
}
