import type { Event } from '@storefront/contracts';

/** Who a client is: a user with a token, a visitor with an id of the browser, or unknown. */
export type Visitor =
  | { readonly userId: string; readonly role: 'retail' | 'trade' }
  | { readonly anonymousId: string }
  | null;

/** One event of `POST /v1/analytics/events`. */
export interface ClientEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly [field: string]: unknown;
}

export interface Visit {
  readonly by: Visitor;
  readonly event: ClientEvent;
}

/** What happened: the events that services published, and those that clients sent. */
export interface History {
  readonly events: readonly Event[];
  readonly visits: readonly Visit[];
}
