import type { Logger } from 'pino';
import type { Topology } from './topology.ts';

/** What both buses take; every time is in milliseconds. */
export interface BusOptions {
  /** Every durable queue of the whole system, and what it takes. */
  readonly topology: Topology;
  readonly logger: Logger;
  /** The service's name: on the broker's connection list and in logs. */
  readonly name: string;
  /** How many deliveries of one subscription are under way at once; 20 where none is given. */
  readonly prefetch?: number;
  /** A handler that takes longer has failed that try; 30,000 where none is given. */
  readonly handlerTimeoutMs?: number;
  /** How long to wait before each further try; after the last one the event is a dead letter. */
  readonly retryWaitsMs?: readonly number[];
  /** A publish without an answer for so long has failed; 10,000 where none is given. */
  readonly confirmTimeoutMs?: number;
  /** Called after each delivery, for metrics; must not throw. */
  readonly onDelivery?: (delivery: Delivered) => void;
  /** Called after each call of `publish`, for metrics; must not throw. */
  readonly onPublish?: (batch: { count: number; confirmed: number; ms: number }) => void;
}

export interface Delivered {
  readonly queue: string;
  readonly outcome: 'done' | 'retry' | 'dead';
  readonly ms: number;
}

/** The options with nothing left open. */
export type Settings = Required<Omit<BusOptions, 'onDelivery' | 'onPublish'>> &
  Pick<BusOptions, 'onDelivery' | 'onPublish'>;

export function withDefaults(options: BusOptions): Settings {
  return {
    prefetch: 20,
    handlerTimeoutMs: 30_000,
    retryWaitsMs: [1_000, 10_000, 60_000, 300_000],
    confirmTimeoutMs: 10_000,
    ...options,
  };
}
