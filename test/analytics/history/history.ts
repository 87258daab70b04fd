import type { Event } from '@storefront/contracts';

/** Who a client is: a user with a token, a visitor with an id of the browser, or nobody known. */
export type Visitor =
  | { readonly userId: string; readonly role: 'retail' | 'trade' }
  | { readonly anonymousId: string }
  | null;

/** What a client tells, as it sends it. */
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

/** All that happened: what the services published, and what clients told. */
export interface History {
  readonly events: readonly Event[];
  readonly visits: readonly Visit[];
}
