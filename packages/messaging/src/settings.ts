import type { Logger } from 'pino';
import type { Topology } from './topology.ts';

/** The options of both buses. All times are in milliseconds. */
export interface BusOptions {
  /** Every durable queue of the whole system, with the event types bound to it. */
  readonly topology: Topology;
  readonly logger: Logger;
  /** The service's name, for the broker's list of connections and for logs. */
  readonly name: string;
  /** How many deliveries of one subscription are handled at the same time; default 20. */
  readonly prefetch?: number;
  /** A handler that takes longer than this has failed; default 30,000. */
  readonly handlerTimeoutMs?: number;
  /** The waits before the second and each further try. After the last try the event becomes a dead letter. */
  readonly retryDelaysMs?: readonly number[];
  /** How long after it was first seen an event with an unknown type or value is still tried again; default 24 h. */
  readonly unknownForMs?: number;
  /** A publish without an answer from the broker within this time has failed; default 10,000. */
  readonly confirmTimeoutMs?: number;
  /** Called after each delivery, for metrics; must not throw. */
  readonly onDelivery?: (delivery: Delivered) => void;
  /** Called after each call of `publish`, for metrics; must not throw. */
  readonly onPublish?: (batch: { count: number; confirmed: number; ms: number }) => void;
}

/** The waits before the further tries of an event, in milliseconds. Each wait has its own delay queue. */
export const standardDelaysMs: readonly number[] = [1_000, 10_000, 60_000, 300_000];

export interface Delivered {
  readonly queue: string;
  readonly outcome: 'done' | 'retry' | 'dead';
  readonly ms: number;
}

/** The options with their defaults filled in. */
export type Settings = Required<Omit<BusOptions, 'onDelivery' | 'onPublish'>> &
  Pick<BusOptions, 'onDelivery' | 'onPublish'>;

export function withDefaults(options: BusOptions): Settings {
  return {
    prefetch: 20,
    handlerTimeoutMs: 30_000,
    retryDelaysMs: standardDelaysMs,
    unknownForMs: 24 * 3_600_000,
    confirmTimeoutMs: 10_000,
    ...options,
  };
}
