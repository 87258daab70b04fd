import type { Event } from '@storefront/contracts';

/**
 * What a handler made of one delivery:
 * `done`: the event is finished.
 * `retry`: it failed; it is tried again, a few times at most.
 * `later`: it could not be tried, because something that every event needs is away; it is tried again without a limit.
 * `unknown`: it has a type or a value that this version does not know; it is tried again for 24 h since it was first
 * seen, because the newer version that published it may have been deployed first.
 * `reject`: it is never tried again and becomes a dead letter.
 */
export type Outcome = 'done' | 'retry' | 'later' | 'unknown' | 'reject';

/** What a handler gets besides the event. */
export interface HandlerContext {
  /** 1 for the first try. */
  readonly attempt: number;
  /** Aborted when the handler's time is up. */
  readonly signal: AbortSignal;
}

/** What a handler returns; with a `reason` where the log and the dead letter should say why. */
export type HandlerAnswer = Outcome | { readonly outcome: Outcome; readonly reason: string };

/** Acts on one event. Must be idempotent: delivery is at least once. A throw counts as `retry`. */
export type Handler = (event: Event, context: HandlerContext) => Promise<HandlerAnswer>;

/** A handler for a durable queue that all instances of a service share: each event goes to one of them. */
export interface Subscription {
  /** The queue's name, `<service>.on-<what>`. */
  readonly queue: string;
  /** Event types, exact. */
  readonly types: readonly string[];
  readonly handle: Handler;
  /** How many deliveries are handled at the same time; by default as many as the bus says for all subscriptions. */
  readonly prefetch?: number;
  /** Events of one subject are handled at the same time too, and not one after the other. */
  readonly anyOrder?: boolean;
}

/** A handler for a queue of one connection: each instance gets every event that is published while it is bound. */
export interface Broadcast {
  /** For logs only. The broker gives the queue its name. */
  readonly name: string;
  readonly types: readonly string[];
  readonly handle: (event: Event) => void;
  /** Called each time the queue is bound, also after a reconnect. Events that were published before may be missed. */
  readonly onBound?: () => void;
  /** Called when the queue is lost. Events are missed from then until `onBound`. */
  readonly onLost?: () => void;
}

/** Whether the broker has one event. An event that is not confirmed must be published again. */
export type Published =
  | { readonly id: string; readonly confirmed: true }
  | { readonly id: string; readonly confirmed: false; readonly reason: string };

/** An event that is not tried any more, as an operator sees it. */
export interface DeadLetter {
  /** 1 for the oldest. It falls when older ones are replayed, dropped or expire. */
  readonly position: number;
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
  /** The publisher alone is ready: `publish` reaches the broker, whatever the subscriptions do. */
  readonly canPublish: boolean;
  readonly reason?: string;
  readonly queues: readonly { readonly queue: string; readonly consuming: boolean }[];
  /** Queues that exist with other arguments than this version declares, if any. They are used as they are. */
  readonly differing?: readonly { readonly queue: string; readonly difference: string }[];
  /** Queues of the topology that nobody has declared yet, if any. Events for them are not published; all others are. */
  readonly missing?: readonly string[];
}

/** How many messages wait, in the queues of one bus and in the delay queues that all services share. */
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
  /** Only those that match; all by default. */
  readonly match?: (deadLetter: DeadLetter) => boolean;
}

/** Carries events between services. */
export interface Bus {
  /**
   * Publishes in order, persistent and `mandatory`, and waits until the broker has confirmed or refused each event.
   * Never throws because of the broker: an event that is returned, refused or not confirmed within 10 s comes back
   * unconfirmed. `transient` events are neither stored nor mandatory: no queue needs to be bound to them.
   */
  publish(events: readonly Event[], options?: { transient?: boolean }): Promise<Published[]>;
  /**
   * Declares the subscription's own queue and starts consuming. Resolves once it is bound; where the broker is away, it
   * keeps trying.
   */
  subscribe(subscription: Subscription): Promise<void>;
  broadcast(broadcast: Broadcast): Promise<void>;
  health(): BusHealth;
  /** How many messages the queues of this bus's subscriptions and the delay queues hold. Throws when the broker is away. */
  backlog(): Promise<Backlog>;
  /**
   * What an operator can do with the dead letters. They are read in blocks and keep their order; while they are read,
   * another reader sees none of them. All of it throws when the broker is away.
   */
  deadLetters: {
    /** The oldest first. They stay stored. */
    list(page?: DeadLetterPage): Promise<DeadLetter[]>;
    /**
     * Sends those that match back to the queue they came from, as at their first try. Returns how many. Where it is
     * interrupted none is lost, and one may be sent back twice.
     */
    replay(match: (deadLetter: DeadLetter) => boolean): Promise<number>;
    /** Deletes those that match. Returns how many. */
    drop(match: (deadLetter: DeadLetter) => boolean): Promise<number>;
    count(): Promise<number>;
  };
  /** Stops consuming, waits for handlers under way (at most 10 s), then closes. Closing twice is fine. */
  close(): Promise<void>;
}
