import { engagementEvents } from '@storefront/contracts';
import type { MeasuredFact } from '../report.ts';
import { none, type StoredRedemption } from './accounts.ts';

/** An event about a redemption. The broker may deliver it more often than once; copies have the same id. */
export interface RedemptionEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: { readonly status?: string };
}

const redeemed = engagementEvents.discountRedeemed.type;
const confirmed = engagementEvents.discountConfirmed.type;
const released = engagementEvents.discountReleased.type;

export const redemptionEventTypes: readonly string[] = [redeemed, confirmed, released];

/**
 * Expects one event for each step of each redemption: that it was redeemed, that it was confirmed where it had been held, and
 * that it was released.
 */
export function eventsFact(
  redemptions: readonly Pick<StoredRedemption, '_id' | 'status' | 'confirmedAt'>[],
  events: readonly RedemptionEvent[],
): MeasuredFact {
  const distinct = [...new Map(events.map((event) => [event.id, event])).values()];
  const bySubject = Map.groupBy(distinct, ({ subject }) => subject);
  const stored = new Set(redemptions.map(({ _id }) => _id));
  const wrong = redemptions.flatMap(({ _id, status, confirmedAt }) => {
    const own = bySubject.get(_id) ?? [];
    const wasHeld = own.some(({ type, data }) => type === redeemed && data.status === 'held');
    const expected = [
      redeemed,
      ...(wasHeld && confirmedAt ? [confirmed] : []),
      ...(status === 'released' ? [released] : []),
    ];
    const found = own.map(({ type }) => type);
    const isRight = found.toSorted().join() === expected.toSorted().join();
    return isRight ? [] : [`${_id}, ${status}: ${found.join(', ') || 'no event'}`];
  });
  const unknown = [...bySubject.keys()].filter((subject) => !stored.has(subject));
  return none('redemptions without exactly one event of each step', [
    ...wrong,
    ...unknown.map((subject) => `${subject}: events without a redemption`),
  ]);
}
