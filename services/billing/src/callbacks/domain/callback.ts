import type { billingHttp } from '@storefront/contracts';

/** What a provider sent, with what became of it. */
export interface Callback {
  /** Made from the provider and its event's id, so that the event has one document; of its repetitions and refusals a new one. */
  readonly id: string;
  readonly provider: string;
  readonly outcome: billingHttp.CallbackOutcome;
  readonly reason: string | null;
  readonly eventId: string | null;
  readonly type: string | null;
  readonly paymentId: string | null;
  readonly address: string | null;
  readonly bytes: number;
  /** As it was received; null where it was refused, and of a repetition. */
  readonly body: string | null;
  readonly receivedAt: Date;
  readonly doneAt: Date | null;
  readonly replays: number;
  /** When it is deleted; null for never: repetitions and refusals are kept for 30 days. */
  readonly deleteAt: Date | null;
}
