import {
  audited,
  changed,
  engagementErrors,
  engagementEvents,
  engagementHttp,
  fact,
  type Actor,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { amountsWithinOrder, partsOf, redeemedPart, type StatedAmounts } from './parts.ts';

/** The owner of the redemptions of orders without an account. */
export const guest = 'guest';
/** The owner of the redemptions of people who were erased. */
const erased = 'erased';

/** The discounts of one order. What is held or confirmed counts against the limits of its campaigns. */
export const redemption = z.object({
  id: z.string(),
  /** A user, `guest` or `erased`. */
  owner: z.string(),
  orderRef: z.string(),
  /**
   * Owner and order while it is held or confirmed: an order has one such redemption. A redemption that was taken again has none, since
   * another one may be open for its order by then.
   */
  openFor: z.string().optional(),
  segment: z.enum(['retail', 'trade']),
  status: engagementHttp.redemptionStatus,
  /** Null unless it is held. */
  heldUntil: z.date().nullable(),
  confirmedAt: z.date().nullable(),
  releasedAt: z.date().nullable(),
  /** The order that was placed with it, as the order system calls it. */
  placedFor: z.string().nullable(),
  /** When that became known. */
  placedAt: z.date().nullable(),
  /** When it was taken again, because an order was placed with it after it had been given back. */
  retakenAt: z.date().nullable(),
  /** The campaigns of which a limit was passed then. */
  beyondLimits: z.array(z.string()),
  campaignIds: z.array(z.string()),
  parts: z.array(redeemedPart),
  /** Of all amounts, which are in minor units. */
  currency: z.string(),
  subtotal: z.int(),
  discount: z.int(),
  shippingDiscount: z.int(),
  total: z.int(),
  /** As it was answered. */
  evaluation: z.custom<Evaluation>(),
  /** Equal for requests about the same cart. */
  cartHash: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Redemption = StateOf<typeof redemption>;

/** The fields, beside the id, that steps are decided by. */
export const decisiveFields = [
  'owner',
  'orderRef',
  'openFor',
  'status',
  'heldUntil',
  'placedFor',
  'parts',
  'currency',
  'cartHash',
  'createdAt',
] as const satisfies readonly (keyof Redemption)[];
export type StoredRedemption = Pick<Redemption, 'id' | (typeof decisiveFields)[number]>;

/** An order that was placed with a redemption. */
export interface PlacedOrder {
  readonly orderId: string;
  readonly stated: StatedAmounts;
}

/** Names the order of an owner. */
export function openForOf(owner: string, orderRef: string): string {
  return `${owner} ${orderRef}`;
}

/** The user who owns the redemption; null for an order without an account, and where the user was erased. */
export function userOf({ owner }: Pick<Redemption, 'owner'>): string | null {
  return owner === guest || owner === erased ? null : owner;
}

/** A redemption of what applied. `holdMs` is null where it is confirmed at once. */
export function redeemed(
  order: Pick<Redemption, 'id' | 'owner' | 'orderRef' | 'segment' | 'cartHash' | 'evaluation'>,
  holdMs: number | null,
  now: Date,
): Decision<Redemption, Redemption> {
  const { id, owner, orderRef, segment, cartHash, evaluation } = order;
  const parts = partsOf(evaluation);
  const { currency, subtotal, discount, shippingDiscount, total } = evaluation;
  const status = holdMs === null ? ('confirmed' as const) : ('held' as const);
  const heldUntil = holdMs === null ? null : new Date(now.getTime() + holdMs);
  const state: Redemption = {
    id,
    owner,
    orderRef,
    openFor: openForOf(owner, orderRef),
    segment,
    status,
    heldUntil,
    confirmedAt: holdMs === null ? now : null,
    releasedAt: null,
    placedFor: null,
    placedAt: null,
    retakenAt: null,
    beyondLimits: [],
    campaignIds: parts.map(({ campaignId }) => campaignId),
    parts,
    currency,
    subtotal,
    discount,
    shippingDiscount,
    total,
    evaluation,
    cartHash,
    createdAt: now,
    updatedAt: now,
  };
  const data = { ...eventDataOf(state), status, heldUntil: heldUntil?.toISOString() ?? null };
  return changed(state, [fact(engagementEvents.discountRedeemed, id, data)]);
}

/** Takes the discounts for good. Throws `redemption_released` where they were given back. */
export function mayConfirm({ status }: Pick<Redemption, 'status'>): boolean {
  if (status === 'released') throw engagementErrors.redemptionReleased();
  return status === 'held';
}

/** Confirms one that is held. */
export function confirmed(redemption: Redemption, now: Date): Decision<Redemption, Redemption> {
  const state: Redemption = {
    ...redemption,
    status: 'confirmed',
    heldUntil: null,
    confirmedAt: now,
    updatedAt: now,
  };
  return changed(state, [fact(engagementEvents.discountConfirmed, state.id, { ...eventDataOf(state), by: 'request' })]);
}

/**
 * Notes that an order was placed with one that is held or confirmed. One that is held is confirmed, with the amounts that the
 * order states; of one that is confirmed already, the order system itself has stated the amounts.
 */
export function placed(
  redemption: Redemption,
  { orderId, stated }: PlacedOrder,
  now: Date,
): Decision<Redemption, Redemption> {
  const noted = { ...redemption, placedFor: orderId, placedAt: now, updatedAt: now };
  if (redemption.status === 'confirmed') return changed(noted, []);
  const state: Redemption = {
    ...noted,
    ...amountsWithinOrder(redemption, stated),
    status: 'confirmed',
    heldUntil: null,
    confirmedAt: now,
  };
  const withdrawn = withdrawnFrom(redemption, state);
  const data = { ...eventDataOf(state), by: 'order-placed' as const, ...(withdrawn && { withdrawn }) };
  return changed(state, [fact(engagementEvents.discountConfirmed, state.id, data)]);
}

/** Takes a redemption again that was given back, since an order was placed with it. */
export function retaken(
  redemption: Redemption,
  { orderId, stated }: PlacedOrder,
  beyondLimits: readonly string[],
  now: Date,
): Decision<Redemption, Redemption> {
  const state: Redemption = {
    ...redemption,
    ...amountsWithinOrder(redemption, stated),
    status: 'confirmed',
    confirmedAt: redemption.confirmedAt ?? now,
    releasedAt: null,
    placedFor: orderId,
    placedAt: now,
    retakenAt: now,
    beyondLimits,
    updatedAt: now,
  };
  const names = new Map(redemption.evaluation.campaigns.map(({ campaignId, name }) => [campaignId, name]));
  const data = {
    ...eventDataOf(state),
    orderId,
    beyondLimits: beyondLimits.map((campaignId) => ({ campaignId, name: names.get(campaignId) ?? campaignId })),
  };
  return changed(state, [fact(engagementEvents.discountRetaken, state.id, data)]);
}

/** A new redemption of the same discounts, for another order than the order that was placed with `original`. */
export function anotherOf(original: Redemption, id: string, orderRef: string, now: Date): Redemption {
  const { openFor: _first, ...others } = original;
  const parts = partsOf(original.evaluation);
  return { ...others, id, orderRef, parts, heldUntil: null, confirmedAt: null, createdAt: now };
}

/** Returns whether there is anything to give back. Throws `redemption_not_held` where only an administrator may do so. */
export function mayRelease({ status }: Pick<Redemption, 'status'>, isAdmin: boolean): boolean {
  if (status === 'confirmed' && !isAdmin) throw engagementErrors.redemptionNotHeld();
  return status !== 'released';
}

/** Gives everything back. */
export function released(
  redemption: Redemption,
  reason: 'requested' | 'hold-ended',
  now: Date,
): Decision<Redemption, Redemption> {
  const { openFor: _freed, ...others } = redemption;
  const state: Redemption = { ...others, status: 'released', heldUntil: null, releasedAt: now, updatedAt: now };
  const was = redemption.status === 'held' ? 'held' : 'confirmed';
  return changed(state, [
    fact(engagementEvents.discountReleased, redemption.id, { ...eventDataOf(redemption), was, reason }),
  ]);
}

/** The audit entry about a redemption that an administrator gives back. `redemption` is as it was before. */
export function auditOfRelease(redemption: Redemption, admin: Actor): Fact {
  const { id, orderRef, status, discount, shippingDiscount, currency } = redemption;
  return audited('engagement', admin, 'redemption-released', {
    object: { type: 'redemption', id },
    about: userOf(redemption),
    details: { orderRef, was: status, discount, shippingDiscount, currency },
  });
}

/** The redemption without anything about its owner. What it took from its campaigns stays, so that their usage stays the same sum. */
export function anonymous(redemption: Redemption, now: Date): Decision<Redemption, Redemption> {
  const { openFor: _freed, evaluation, ...others } = redemption;
  const lines = evaluation.lines.map((line, index) => ({ ...line, lineId: String(index + 1) }));
  return changed(
    {
      ...others,
      owner: erased,
      orderRef: redemption.id,
      placedFor: null,
      cartHash: '',
      evaluation: { ...evaluation, lines },
      updatedAt: now,
    },
    [],
  );
}

/** By how much an order has lowered the amounts; null where nothing was lowered. */
function withdrawnFrom(before: Redemption, after: Redemption) {
  const left = new Map(after.parts.map(({ campaignId, amount }) => [campaignId, amount]));
  const campaigns = before.parts.map(({ campaignId, amount }) => {
    return { campaignId, amount: amount - (left.get(campaignId) ?? 0) };
  });
  const total = before.total - after.total;
  return total === 0 && campaigns.every(({ amount }) => amount === 0) ? null : { total, campaigns };
}

/** The data of events about a redemption. */
function eventDataOf(redemption: Redemption) {
  const { orderRef, segment, currency, subtotal, discount, shippingDiscount, total, parts } = redemption;
  const userId = userOf(redemption);
  const campaigns = parts.map(({ campaignId, code, amount }) => ({ campaignId, code, amount }));
  return { orderRef, userId, segment, currency, subtotal, discount, shippingDiscount, total, campaigns };
}
