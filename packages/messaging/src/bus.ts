import type { Event } from '@storefront/contracts';

/**
 * What became of one delivery: finished; failed and to be tried again, a few times at most; not tried at all, because
 * something that every event needs is away, and to be tried again for as long as that takes; never to be tried again.
 */
export type Outcome = 'done' | 'retry' | 'later' | 'reject';

/** What a handler may know about the delivery besides the event. */
export interface Delivery {
  /** 1 for the first try. */
  readonly attempt: number;
  /** Aborted when the handler's time is up. */
  readonly signal: AbortSignal;
}

/**
 * Acts on one event. Must be idempotent: delivery is at least once.
 * A throw counts as `retry`; give `{ outcome, reason }` where a dead letter should say why.
 */
export type Handler = (event: Event, delivery: Delivery) => Promise<Outcome | { outcome: Outcome; reason: string }>;

/** A durable queue that all instances of a service share: each event goes to one of them. */
export interface Subscription {
  /** `<service>.on-<what>`, a written constant: renaming it makes a new queue. */
  readonly queue: string;
  /** Event types, exact. */
  readonly types: readonly string[];
  readonly handle: Handler;
}

/** An exclusive queue that lives as long as its connection: each instance gets every event from when it is bound. */
export interface Broadcast {
  /** For logs only: the broker names the queue. */
  readonly name: string;
  readonly types: readonly string[];
  readonly handle: (event: Event) => void;
  /** Called each time the queue is bound, and again after every reconnect: what was published before was not seen. */
  readonly onBound?: () => void;
  /** Called when the queue is gone: from here on facts are missed until `onBound`. */
  readonly onLost?: () => void;
}

/** What became of one publish. Anything but `confirmed` must be published again. */
export type Published =
  | { readonly id: string; readonly confirmed: true }
  | { readonly id: string; readonly confirmed: false; readonly reason: string };

/** An event that was given up on, as an operator sees it. */
export interface DeadLetter {
  readonly queue: string;
  readonly reason: string;
  readonly attempts: number;
  readonly firstSeen: string;
  readonly diedAt: string;
  /** The event where the message could be read, else the raw text. */
  readonly event: Event | { readonly unreadable: string };
}

export interface BusHealth {
  readonly kind: 'rabbitmq' | 'in-process';
  /** Both connections are open and every subscription is consuming. */
  readonly connected: boolean;
  readonly reason?: string;
  readonly queues: readonly { readonly queue: string; readonly consuming: boolean }[];
}

/** Carries facts between services. Two implementations, one contract suite. */
export interface Bus {
  /**
   * Publishes in order, persistent and `mandatory`, and waits until the broker has confirmed or refused each.
   * Never throws for what a broker does: an event that is returned, refused or not confirmed within 10 s comes back unconfirmed.
   * Options: `transient` events are not stored and not mandatory; no queue need be bound to them.
   */
  publish(events: readonly Event[], options?: { transient?: boolean }): Promise<Published[]>;
  /** Declares the queue and starts consuming. Resolves once bound; keeps trying in the background when the broker is away. */
  subscribe(subscription: Subscription): Promise<void>;
  broadcast(broadcast: Broadcast): Promise<void>;
  health(): BusHealth;
  /** Messages ready and waiting for each subscription of this bus, its delay queues included. Throws when the broker is away. */
  backlog(): Promise<{ queue: string; ready: number; delayed: number }[]>;
  deadLetters: {
    /** The oldest first; leaves them where they are. */
    list(limit?: number): Promise<DeadLetter[]>;
    /** Sends those that match back to the queue where they died, with a fresh attempt counter. Answers how many. */
    replay(match: (letter: DeadLetter) => boolean): Promise<number>;
    drop(match: (letter: DeadLetter) => boolean): Promise<number>;
    count(): Promise<number>;
  };
  /** Stops consuming, waits for handlers under way (at most 10 s), then closes. Closing twice is fine. */
  close(): Promise<void>;
}
