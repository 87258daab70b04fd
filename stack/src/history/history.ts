import type { Event } from '@storefront/contracts';

/** Who a client is: a user with a token, a visitor with an id from the browser, or null for an unknown visitor. */
export type Visitor =
  | { readonly userId: string; readonly role: 'retail' | 'trade' }
  | { readonly anonymousId: string }
  | null;

/** One event in a request to `POST /v1/analytics/events`. */
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

/** A part of a history: the events that services published, and the events that clients sent. */
export interface History {
  readonly events: readonly Event[];
  readonly visits: readonly Visit[];
}
