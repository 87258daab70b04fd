import { changed, engagementErrors, engagementEvents, fact } from '@storefront/contracts';
import type { Decision, engagementHttp } from '@storefront/contracts';

/** The owner of the redemptions of orders without an account. */
export const guest = 'guest';
/** The owner of the redemptions of people who were erased. */
const erased = 'erased';

/** What a redemption took from one campaign. */
interface RedeemedPart {
  readonly campaignId: string;
  readonly code: string | null;
  /** In minor units. */
  readonly amount: number;
}

/** The discounts of one order. What is held or confirmed counts against the limits of its campaigns. */
export interface Redemption {
  readonly id: string;
  /** A user, `guest` or `erased`. */
  readonly owner: string;
  readonly orderRef: string;
  /** Owner and order while it is held or confirmed: there is one such redemption of an order. */
  readonly openFor?: string;
  readonly segment: 'retail' | 'trade';
  readonly status: 'held' | 'confirmed' | 'released';
  /** Null unless it is held. */
  readonly heldUntil: Date | null;
  readonly confirmedAt: Date | null;
  readonly releasedAt: Date | null;
  /** When it became known that the order is placed. */
  readonly placedAt: Date | null;
  readonly campaignIds: readonly string[];
  readonly parts: readonly RedeemedPart[];
  readonly currency: string;
  readonly subtotal: number;
  readonly discount: number;
  readonly shippingDiscount: number;
  readonly total: number;
  /** As it was answered. */
  readonly evaluation: engagementHttp.EvaluationBody;
  /** Tells whether another request is about the same cart. */
  readonly cartHash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What decides about a redemption that is stored. */
export type StoredRedemption = Pick<
  Redemption,
  'id' | 'owner' | 'orderRef' | 'status' | 'heldUntil' | 'placedAt' | 'parts' | 'cartHash'
>;

/** Names the order of an owner. */
export function openForOf(owner: string, orderRef: string): string {
  return `${owner} ${orderRef}`;
}

/** The user whose redemption it is; null for an order without an account, and where the user was erased. */
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
  const parts = evaluation.campaigns
    .filter(({ applied }) => applied)
    .map(({ campaignId, code, amount }) => ({ campaignId, code, amount }));
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
    placedAt: null,
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
  const told = { ...toldOf(state), status, heldUntil: heldUntil?.toISOString() ?? null };
  return changed(state, [fact(engagementEvents.discountRedeemed, id, told)]);
}

/** Takes the discounts for good. Throws `redemption_released` where they were given back. */
export function mayConfirm({ status }: Pick<Redemption, 'status'>): boolean {
  if (status === 'released') throw engagementErrors.redemptionReleased();
  return status === 'held';
}

/** Confirms one that is held; `placed` where its order was placed, which one that is confirmed learns as well. */
export function confirmed(
  redemption: Redemption,
  by: 'request' | 'order-placed',
  now: Date,
): Decision<Redemption, Redemption> {
  const state: Redemption = {
    ...redemption,
    status: 'confirmed',
    heldUntil: null,
    confirmedAt: redemption.confirmedAt ?? now,
    placedAt: redemption.placedAt ?? (by === 'order-placed' ? now : null),
    updatedAt: now,
  };
  const told = { ...toldOf(state), by };
  return changed(
    state,
    redemption.status === 'held' ? [fact(engagementEvents.discountConfirmed, redemption.id, told)] : [],
  );
}

/** Throws `order_placed` where only an administrator may give it back. Returns whether there is anything to give back. */
export function mayRelease({ status, placedAt }: Pick<Redemption, 'status' | 'placedAt'>, isAdmin: boolean): boolean {
  if (status === 'released') return false;
  if (placedAt !== null && !isAdmin) throw engagementErrors.orderPlaced();
  return true;
}

/** Gives everything back. */
export function released(
  redemption: Redemption,
  reason: 'requested' | 'hold-ended',
  now: Date,
): Decision<Redemption, Redemption> {
  const { openFor: _freed, ...rest } = redemption;
  const state: Redemption = { ...rest, status: 'released', heldUntil: null, releasedAt: now, updatedAt: now };
  const was = redemption.status === 'held' ? 'held' : 'confirmed';
  return changed(state, [
    fact(engagementEvents.discountReleased, redemption.id, { ...toldOf(redemption), was, reason }),
  ]);
}

/** Without anything about its owner. What it took from its campaigns stays, so that usage is the sum as before. */
export function anonymous(redemption: Redemption, now: Date): Decision<Redemption, Redemption> {
  const { openFor: _freed, evaluation, ...rest } = redemption;
  const lines = evaluation.lines.map((line, index) => ({ ...line, lineId: String(index + 1) }));
  return changed(
    {
      ...rest,
      owner: erased,
      orderRef: redemption.id,
      cartHash: '',
      evaluation: { ...evaluation, lines },
      updatedAt: now,
    },
    [],
  );
}

/** What events say of it. */
function toldOf(redemption: Redemption) {
  const { orderRef, segment, currency, subtotal, discount, shippingDiscount, total, parts } = redemption;
  const userId = userOf(redemption);
  const campaigns = parts.map(({ campaignId, code, amount }) => ({ campaignId, code, amount }));
  return { orderRef, userId, segment, currency, subtotal, discount, shippingDiscount, total, campaigns };
}
