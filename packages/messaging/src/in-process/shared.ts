import type { Broker } from 'smqp';
import type { DeadLetterStore } from './dead-letter-store.ts';
import type { DelayQueue } from './delay-queue.ts';

/** The parts that the buses of one process share. */
export interface Shared {
  readonly broker: Broker;
  readonly delayQueue: DelayQueue;
  readonly deadLetterStore: DeadLetterStore;
}
