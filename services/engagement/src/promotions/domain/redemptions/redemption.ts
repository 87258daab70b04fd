import {
  audited,
  changed,
  engagementErrors,
  engagementEvents,
  engagementHttp,
  fact,
  type Actor,
  type Decision,
  type EventOf,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { amountsWithinOrder, partsOf, redeemedPart, type StatedAmounts } from './parts.ts';

/** The owner of the redemptions of orders without an account. */
export const guest = 'guest';
/** The owner of redemptions whose user was erased. */
const erased = 'erased';

/** The discounts of one order. Held and confirmed redemptions count against the limits of their campaigns. */
export const redemption = z.object({
  id: z.string(),
  /** The id of a user, or `guest` or `erased`. */
  owner: z.string(),
  orderRef: z.string(),
  /**
   * Owner and order, while the redemption is held or confirmed. An order has at most one such redemption. A redemption
   * that was taken again has no `openFor`, since its order may have another open redemption by then. One that is held
   * for an order has none either: its id follows from the order's, and a shopper can't take its place.
   */
  openFor: z.string().optional(),
  segment: z.enum(['retail', 'trade']),
  status: engagementHttp.redemptionStatus,
  /** When the hold ends; null unless the redemption is held, and where it is held for an order: see `isHeldForOrder`. */
  heldUntil: z.date().nullable(),
  confirmedAt: z.date().nullable(),
  releasedAt: z.date().nullable(),
  /** The order that was placed with the redemption, by its id in the order system. */
  placedFor: z.string().nullable(),
  /** When this service learned of the order. */
  placedAt: z.date().nullable(),
  /** When the redemption was taken again, because an order was placed with it after it had been given back. */
  retakenAt: z.date().nullable(),
  /** The campaigns whose limits were exceeded when the redemption was taken again. */
  beyondLimits: z.array(z.string()),
  campaignIds: z.array(z.string()),
  parts: z.array(redeemedPart),
  /** The currency of all amounts, which are in minor units. */
  currency: z.string(),
  subtotal: z.int(),
  discount: z.int(),
  shippingDiscount: z.int(),
  total: z.int(),
  /** The evaluation that the client got. */
  evaluation: z.custom<Evaluation>(),
  /** A hash that is equal for requests about the same cart. */
  cartHash: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Redemption = StateOf<typeof redemption>;

/** The fields, besides the id, that are needed to decide steps. */
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

/** Returns a text that identifies an order of an owner. */
export function openForOf(owner: string, orderRef: string): string {
  return `${owner} ${orderRef}`;
}

/** Returns the user who owns the redemption; null for an order without an account, and where the user was erased. */
export function userOf({ owner }: Pick<Redemption, 'owner'>): string | null {
  return owner === guest || owner === erased ? null : owner;
}

/**
 * Whether the redemption is held for an order of the orders service. Such a hold has no end of its own: it ends when the
 * order is placed or cancelled, and nobody else confirms it or gives it back.
 */
function isHeldForOrder({ status, heldUntil }: Pick<Redemption, 'status' | 'heldUntil'>): boolean {
  return status === 'held' && heldUntil === null;
}

/** How a redemption begins: confirmed, or held until a time; null for a hold that ends with its order. */
type Beginning = 'confirmed' | { readonly heldUntil: Date | null };

/** Creates a redemption of the discounts that apply. */
export function redeemed(
  order: Pick<Redemption, 'id' | 'owner' | 'orderRef' | 'openFor' | 'segment' | 'cartHash' | 'evaluation'>,
  beginning: Beginning,
  now: Date,
): Decision<Redemption, Redemption> {
  const { evaluation } = order;
  const parts = partsOf(evaluation);
  const { currency, subtotal, discount, shippingDiscount, total } = evaluation;
  const status = beginning === 'confirmed' ? ('confirmed' as const) : ('held' as const);
  const heldUntil = beginning === 'confirmed' ? null : beginning.heldUntil;
  const state: Redemption = {
    ...order,
    status,
    heldUntil,
    confirmedAt: beginning === 'confirmed' ? now : null,
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
    createdAt: now,
    updatedAt: now,
  };
  const data = { ...eventDataOf(state), status, heldUntil: heldUntil?.toISOString() ?? null };
  return changed(state, [fact(engagementEvents.discountRedeemed, state.id, data)]);
}

/**
 * Returns whether the redemption is held and so can be confirmed. Throws `redemption_released` where it was given back,
 * and `redemption_held_for_order`.
 */
export function mayConfirm(redemption: Pick<Redemption, 'status' | 'heldUntil'>): boolean {
  const { status } = redemption;
  if (status === 'released') throw engagementErrors.redemptionReleased();
  if (isHeldForOrder(redemption)) throw engagementErrors.redemptionHeldForOrder();
  return status === 'held';
}

/** Confirms a held redemption. */
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
 * Stores that an order was placed with a held or confirmed redemption. A held one is confirmed with the amounts that
 * the order states. A confirmed one keeps its amounts, because the order system itself has stated them.
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

/** Takes a redemption again that was given back, because an order was placed with it. */
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

/** Returns a new redemption of the same discounts, for another order than the one that was placed with `original`. */
export function anotherOf(original: Redemption, id: string, orderRef: string, now: Date): Redemption {
  const { openFor: _first, ...others } = original;
  const parts = partsOf(original.evaluation);
  return { ...others, id, orderRef, parts, heldUntil: null, confirmedAt: null, createdAt: now };
}

/**
 * Returns whether there is anything to give back. Throws `redemption_not_held` where the redemption is confirmed and
 * the caller is no administrator, and `redemption_held_for_order`.
 */
export function mayRelease(redemption: Pick<Redemption, 'status' | 'heldUntil'>, isAdmin: boolean): boolean {
  const { status } = redemption;
  if (isHeldForOrder(redemption)) throw engagementErrors.redemptionHeldForOrder();
  if (status === 'confirmed' && !isAdmin) throw engagementErrors.redemptionNotHeld();
  return status !== 'released';
}

export type ReleaseReason = EventOf<typeof engagementEvents.discountReleased>['data']['reason'];

/** Gives all discounts of the redemption back. */
export function released(redemption: Redemption, reason: ReleaseReason, now: Date): Decision<Redemption, Redemption> {
  const { openFor: _freed, ...others } = redemption;
  const state: Redemption = { ...others, status: 'released', heldUntil: null, releasedAt: now, updatedAt: now };
  const was = redemption.status === 'held' ? 'held' : 'confirmed';
  return changed(state, [
    fact(engagementEvents.discountReleased, redemption.id, { ...eventDataOf(redemption), was, reason }),
  ]);
}

/** Returns the audit entry about a redemption that staff give back. `redemption` is its state before. */
export function auditOfRelease(redemption: Redemption, admin: Actor): Fact {
  const { id, orderRef, status, discount, shippingDiscount, currency } = redemption;
  return audited('engagement', admin, 'redemption-released', {
    object: { type: 'redemption', id },
    about: userOf(redemption),
    details: { orderRef, was: status, discount, shippingDiscount, currency },
  });
}

/**
 * Removes all data about the owner from a redemption. Its discounts stay, so that the usage of its campaigns does not
 * change.
 */
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

/** Returns by how much an order has lowered the amounts; null where nothing was lowered. */
function withdrawnFrom(before: Redemption, after: Redemption) {
  const left = new Map(after.parts.map(({ campaignId, amount }) => [campaignId, amount]));
  const campaigns = before.parts.map(({ campaignId, amount }) => {
    return { campaignId, amount: amount - (left.get(campaignId) ?? 0) };
  });
  const total = before.total - after.total;
  return total === 0 && campaigns.every(({ amount }) => amount === 0) ? null : { total, campaigns };
}

/** Returns the data of events about a redemption. */
function eventDataOf(redemption: Redemption) {
  const { orderRef, segment, currency, subtotal, discount, shippingDiscount, total, parts } = redemption;
  const userId = userOf(redemption);
  const campaigns = parts.map(({ campaignId, code, amount }) => ({ campaignId, code, amount }));
  return { orderRef, userId, segment, currency, subtotal, discount, shippingDiscount, total, campaigns };
}
