import type { Event } from '@storefront/contracts';

/**
 * How the handling of one delivery ended:
 * - `done`: the event is finished.
 * - `retry`: the handling failed; the event is tried again, a few times at most.
 * - `later`: the event could not be tried, because something that every event needs is unreachable, such as the
 *   database; it is tried again without a limit.
 * - `unknown`: the event has a type or a value that this version does not know. It is tried again for 24 h from when it
 *   was first seen, because the newer version that published it may have been deployed first.
 * - `reject`: the event is never tried again and becomes a dead letter.
 */
export type Outcome = 'done' | 'retry' | 'later' | 'unknown' | 'reject';

/** What a handler gets in addition to the event. */
export interface HandlerContext {
  /** 1 for the first try. */
  readonly attempt: number;
  /** Aborted when the handler's time is up. */
  readonly signal: AbortSignal;
}

/** What a handler returns. A `reason`, if given, is written to the log and into the dead letter. */
export type HandlerAnswer = Outcome | { readonly outcome: Outcome; readonly reason: string };

/**
 * Acts on one event. Must be idempotent, because an event may be delivered more than once. If it throws, the outcome is
 * `retry`.
 */
export type Handler = (event: Event, context: HandlerContext) => Promise<HandlerAnswer>;

/** A handler for a durable queue that all instances of a service share. Each event goes to one of the instances. */
export interface Subscription {
  /** The queue's name, `<service>.on-<what>`. */
  readonly queue: string;
  /** The exact event types, without wildcards. */
  readonly types: readonly string[];
  readonly handle: Handler;
  /** How many deliveries are handled at the same time; default: the `prefetch` of the bus. */
  readonly prefetch?: number;
  /** True lets events of one subject run at the same time; by default they run one after the other. */
  readonly anyOrder?: boolean;
}

/**
 * A handler for a queue that belongs to one connection. Each instance gets every event that is published while the
 * queue is bound.
 */
export interface Broadcast {
  /** For logs only. The broker gives the queue its name. */
  readonly name: string;
  readonly types: readonly string[];
  readonly handle: (event: Event) => void;
  /** Called each time the queue is bound, also after a reconnect. Events published before that may have been missed. */
  readonly onBound?: () => void;
  /** Called when the queue is lost. Events are missed from then until `onBound`. */
  readonly onLost?: () => void;
}

/** Whether the broker has confirmed one event. An unconfirmed event must be published again. */
export type Published =
  | { readonly id: string; readonly confirmed: true }
  | { readonly id: string; readonly confirmed: false; readonly reason: string };

/** An event that is no longer tried, in the form shown to an operator. */
export interface DeadLetter {
  /** 1 for the oldest dead letter. The number decreases when older ones are replayed, dropped or expire. */
  readonly position: number;
  readonly queue: string;
  readonly reason: string;
  readonly attempts: number;
  readonly firstSeen: string;
  readonly diedAt: string;
  /** The event, or the raw text if the message could not be read as an event. */
  readonly event: Event | { readonly unreadable: string };
}

export interface BusHealth {
  readonly kind: 'rabbitmq' | 'in-process';
  /** Both connections are open and every subscription is consuming. */
  readonly connected: boolean;
  /** Whether `publish` reaches the broker, regardless of the subscriptions. */
  readonly canPublish: boolean;
  readonly reason?: string;
  readonly queues: readonly { readonly queue: string; readonly consuming: boolean }[];
  /** Queues that exist with other arguments than this version declares, if any. They are used unchanged. */
  readonly differing?: readonly { readonly queue: string; readonly difference: string }[];
  /** Queues of the topology that do not exist yet, if any. Only events for these queues are held back. */
  readonly missing?: readonly string[];
}

/** How many messages wait in the queues of one bus, and in the delay queues that all services share. */
export interface Backlog {
  readonly queues: readonly { readonly queue: string; readonly ready: number }[];
  readonly delayed: number;
}

/** Which dead letters to list. */
export interface DeadLetterPage {
  /** The position after which to begin; 0 by default. */
  readonly after?: number;
  /** How many at most; 100 by default. */
  readonly limit?: number;
  /** Lists only dead letters for which this returns true; all by default. */
  readonly match?: (deadLetter: DeadLetter) => boolean;
}

/** Carries events between services. */
export interface Bus {
  /**
   * Publishes events in order and waits until the broker has confirmed or refused each one. Messages are persistent and
   * `mandatory`. Never throws because of the broker: an event that is returned, refused or not confirmed within 10 s
   * comes back as unconfirmed.
   * With `transient`, events are neither stored nor mandatory: they need no queue.
   */
  publish(events: readonly Event[], options?: { transient?: boolean }): Promise<Published[]>;
  /**
   * Declares the subscription's own queue and starts consuming. Resolves once the queue is bound. If the broker is
   * unreachable, it resolves anyway and keeps trying.
   */
  subscribe(subscription: Subscription): Promise<void>;
  broadcast(broadcast: Broadcast): Promise<void>;
  health(): BusHealth;
  /**
   * Counts the messages in the queues of this bus's subscriptions and in the delay queues. Throws if the broker is
   * unreachable.
   */
  backlog(): Promise<Backlog>;
  /**
   * What an operator can do with dead letters. Dead letters are read in blocks and keep their order; meanwhile other
   * readers do not see them. All functions throw if the broker is unreachable.
   */
  deadLetters: {
    /** Lists dead letters, the oldest first. They stay stored. */
    list(page?: DeadLetterPage): Promise<DeadLetter[]>;
    /**
     * Sends matching dead letters back to their original queues, where they count as new. Returns how many were sent.
     * If `replay` is interrupted, no dead letter is lost, but one may be sent twice.
     */
    replay(match: (deadLetter: DeadLetter) => boolean): Promise<number>;
    /** Deletes matching dead letters. Returns how many were deleted. */
    drop(match: (deadLetter: DeadLetter) => boolean): Promise<number>;
    count(): Promise<number>;
  };
  /** Stops consuming, waits at most 10 s for running handlers, then closes. A second call changes nothing. */
  close(): Promise<void>;
}
