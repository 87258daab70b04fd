import {
  bodyField,
  commonErrors,
  derivedId,
  engagementErrors,
  invalidFields,
  notFound,
  Refusal,
  withFacts,
  type Actor,
  type Decision,
} from '@storefront/contracts';
import type { CampaignRules } from '../campaigns/rules.ts';
import { shopperOf, type Cart } from '../evaluation/cart.ts';
import { evaluateWithCodes, type Candidates } from '../evaluation/evaluate.ts';
import { showEvaluation, type Evaluation } from '../evaluation/evaluation.ts';
import type { Counts } from './counts.ts';
import {
  answered,
  answeredAgain,
  answerOf,
  ended,
  holdIdOf,
  type OrderAnswer,
  type OrderDiscounts,
} from './order-discounts.ts';
import { partsWithinOrder } from './parts.ts';
import {
  anotherOf,
  auditOfRelease,
  confirmed,
  guest,
  mayConfirm,
  mayRelease,
  openForOf,
  placed,
  redeemed,
  released,
  retaken,
  userOf,
  type PlacedOrder,
  type Redemption,
  type ReleaseReason,
  type StoredRedemption,
} from './redemption.ts';
import { assertMayHold } from './shopper-holds.ts';

/** Redeems the discounts that apply to a cart, for an order. */
export interface Redeem {
  readonly kind: 'redeem';
  /** The id of the new redemption. */
  readonly id: string;
  readonly owner: string;
  readonly orderRef: string;
  readonly segment: Redemption['segment'];
  readonly cart: Cart;
  readonly codes: readonly string[];
  readonly cartHash: string;
  readonly holdMs: number | null;
  /** Item and shipping discounts together, as shown to the shopper; in minor units. */
  readonly expectedDiscount: number | null;
  readonly isByAdmin: boolean;
}

/** Holds the discounts that apply to an order of the orders service until it is placed or cancelled, and answers it. */
export interface HoldForOrder {
  readonly kind: 'hold-for-order';
  /** The id of the new redemption: see `holdIdOf`. */
  readonly id: string;
  readonly orderId: string;
  readonly owner: string;
  readonly segment: Redemption['segment'];
  /** Null for lines that cost too much for exact calculation. */
  readonly cart: Cart | null;
  readonly codes: readonly string[];
}

/** Gives back what is held or confirmed for an order of the orders service. */
interface CancelOrder {
  readonly kind: 'cancel-order';
  readonly orderId: string;
}

interface Confirm {
  readonly kind: 'confirm';
  readonly id: string;
}

/** Gives a redemption back on request. */
interface Release {
  readonly kind: 'release';
  readonly id: string;
  readonly by: Releaser;
}

/**
 * Who gives back a redemption. An owner may give back only their own held redemptions. Staff may give back
 * any, which the audit log records. With `sparingPlaced`, a redemption with which an order was placed does not change.
 */
type Releaser = { readonly owner: string } | { readonly admin: Actor; readonly sparingPlaced?: boolean };

/** Gives back a redemption whose hold has ended. */
interface EndHold {
  readonly kind: 'end-hold';
  readonly id: string;
}

/** Gives back a redemption that is held for a user who is being erased. */
interface GiveUp {
  readonly kind: 'give-up';
  readonly id: string;
}

/** Records that an order was placed. */
interface PlaceOrder extends PlacedOrder {
  readonly kind: 'place-order';
  /** Null for an order without an account. */
  readonly userId: string | null;
  /** The redemption that the order names. */
  readonly redemptionId: string | null;
}

export type Step = Redeem | HoldForOrder | CancelOrder | Confirm | Release | EndHold | GiveUp | PlaceOrder;

/** The result of a step. */
export type Outcome =
  /** The redemption is changed or created, once the changes are saved. */
  | { readonly kind: 'changed'; readonly id: string; readonly isNew: boolean }
  /** The redemption does not change. */
  | { readonly kind: 'unchanged'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** An earlier step changes the same redemption. This step must be decided again after that change is saved. */
  | { readonly kind: 'postponed' }
  | { readonly kind: 'done' };

/** The data with which steps are decided, all from the same moment. */
export interface DecisionInput {
  readonly redemptions: readonly StoredRedemption[];
  /** The records of the orders that the steps name. */
  readonly orders: readonly OrderDiscounts[];
  /** Redemptions with which another order was placed (see `isForAnother`), with all fields, by id. */
  readonly originals: ReadonlyMap<string, Redemption>;
  readonly counts: Counts;
  /** The rules of campaigns whose discounts may be taken again. */
  readonly rulesOf: (campaignId: string) => CampaignRules | undefined;
  readonly candidatesFor: (step: Redeem | HoldForOrder) => Candidates;
  readonly erasedUsers: ReadonlySet<string>;
  readonly now: Date;
}

export type Change = (current: Redemption | null) => Decision<Redemption, Redemption>;

/** Decides steps one after the other: each step sees what the earlier steps took and gave back. */
export function createDecider({
  redemptions,
  orders,
  originals,
  counts,
  rulesOf,
  candidatesFor,
  erasedUsers,
  now,
}: DecisionInput): {
  readonly decide: (step: Step) => Outcome;
  /** The changes to save, by redemption id, in the order in which they were decided. */
  readonly changes: ReadonlyMap<string, Change>;
  /** What was decided about records of orders, by the order's id. */
  readonly orderChanges: ReadonlyMap<string, Decision<OrderDiscounts, OrderDiscounts>>;
} {
  const byId = new Map(redemptions.map((one) => [one.id, one]));
  const known = new Map(orders.map((one) => [one.id, one]));
  /** The held or confirmed redemptions, by their orders. */
  const open = new Map<string, Pick<Redemption, 'id' | 'cartHash'>>();
  for (const one of redemptions) if (one.openFor !== undefined) open.set(one.openFor, one);
  const changes = new Map<string, Change>();
  const orderChanges = new Map<string, Decision<OrderDiscounts, OrderDiscounts>>();

  function redeem(step: Redeem): Outcome {
    const { id, owner, orderRef, cartHash, segment } = step;
    const forOrder = openForOf(owner, orderRef);
    // This is the same attempt again. Its redemption may have been given back meanwhile.
    if (byId.has(id)) return { kind: 'unchanged', id };
    const existing = open.get(forOrder);
    if (existing) {
      if (existing.cartHash !== cartHash) throw engagementErrors.orderAlreadyRedeemed();
      return { kind: 'unchanged', id: existing.id };
    }
    const userId = userOf(step);
    if (userId !== null && erasedUsers.has(userId)) throw refuseErased(step.isByAdmin);
    const holdSeconds = (step.holdMs ?? 0) / 1000;
    if (userId !== null && !step.isByAdmin) assertMayHold(counts.shopper(userId), holdSeconds, now);

    const evaluation = evaluateFor(step, step.cart, orderRef);
    const discount = evaluation.discount + evaluation.shippingDiscount;
    if (step.expectedDiscount !== null && step.expectedDiscount !== discount)
      throw engagementErrors.discountChanged().with({ members: { evaluation: showEvaluation(evaluation) } });
    if (!hasApplied(evaluation))
      throw engagementErrors.noDiscountApplies().with({ members: { evaluation: showEvaluation(evaluation) } });

    const beginning = step.holdMs === null ? 'confirmed' : { heldUntil: new Date(now.getTime() + step.holdMs) };
    const decision = redeemed(
      { id, owner, orderRef, openFor: forOrder, segment, cartHash, evaluation },
      beginning,
      now,
    );
    counts.take(decision.result, now);
    if (!step.isByAdmin) counts.hold(decision.result, holdSeconds);
    open.set(forOrder, decision.result);
    changes.set(id, () => decision);
    return { kind: 'changed', id, isNew: true };
  }

  function evaluateFor(step: Redeem | HoldForOrder, cart: Cart, orderRef: string): Evaluation {
    const { segment, codes } = step;
    const userId = userOf(step);
    const shopper = shopperOf({ segment, userId }, userId === null ? undefined : counts.shopper(userId), orderRef);
    return evaluateWithCodes({ cart, shopper, codes }, candidatesFor(step), now);
  }

  function holdForOrder(step: HoldForOrder): Outcome {
    const { id, orderId } = step;
    if (orderChanges.has(orderId)) return { kind: 'postponed' };
    const order = known.get(orderId);
    // The record of an order that ended long ago is deleted; its redemption is not.
    if (!order && byId.has(id)) return { kind: 'done' };
    const decision = order ? answeredAgain(order) : answered(orderId, answerTo(step));
    if (decision.kind !== 'unchanged') orderChanges.set(orderId, decision);
    return { kind: 'done' };
  }

  /** Holds what applies to the order, and returns what it is answered. */
  function answerTo(step: HoldForOrder): OrderAnswer {
    const { id, orderId, owner, segment, cart } = step;
    const userId = userOf(step);
    if (userId !== null && erasedUsers.has(userId)) return { reason: 'user_erased' };
    if (cart === null) return { reason: 'amount_too_large' };
    const evaluation = evaluateFor(step, cart, orderId);
    if (!hasApplied(evaluation)) return answerOf(null, evaluation);
    const order = { id, owner, orderRef: orderId, segment, cartHash: '', evaluation };
    const decision = redeemed(order, { heldUntil: null }, now);
    counts.take(decision.result, now);
    changes.set(id, () => decision);
    return answerOf(id, evaluation);
  }

  function cancelOrder({ orderId }: CancelOrder): Outcome {
    const order = known.get(orderId) ?? null;
    const hold = byId.get(holdIdOf(orderId) ?? '');
    if (orderChanges.has(orderId) || (hold && changes.has(hold.id))) return { kind: 'postponed' };
    if (order?.status === 'cancelled') return { kind: 'done' };
    orderChanges.set(orderId, ended(order, orderId, 'cancelled', now));
    if (hold && hold.status !== 'released') giveBack(hold, 'order-cancelled', null);
    return { kind: 'done' };
  }

  function find(id: string, owner: string | null): StoredRedemption {
    const found = byId.get(id);
    if (!found || (owner !== null && found.owner !== owner)) throw notFound('redemption');
    return found;
  }

  function confirm({ id }: Confirm): Outcome {
    const found = find(id, null);
    if (changes.has(id)) return { kind: 'postponed' };
    if (!mayConfirm(found)) return { kind: 'unchanged', id };
    endHoldWithOrder(found);
    change(id, (current) => confirmed(current, now));
    return { kind: 'changed', id, isNew: false };
  }

  /** Ends a hold because of an order. Such a hold does not count for the user's day. */
  function endHoldWithOrder(found: StoredRedemption): void {
    if (found.heldUntil) counts.endHold(found, seconds(found.createdAt, found.heldUntil));
  }

  function release({ id, by }: Release): Outcome {
    const [owner, admin] = 'admin' in by ? [null, by.admin] : [by.owner, null];
    const found = find(id, owner);
    if (changes.has(id)) return { kind: 'postponed' };
    if (!mayRelease(found, admin !== null)) return { kind: 'unchanged', id };
    if ('admin' in by && by.sparingPlaced && found.placedFor !== null) return { kind: 'unchanged', id };
    giveBack(found, 'requested', admin);
    return { kind: 'changed', id, isNew: false };
  }

  function giveBackHeld(id: string, isOver: (heldUntil: Date) => boolean): Outcome {
    const found = byId.get(id);
    if (changes.has(id)) return { kind: 'postponed' };
    if (found?.heldUntil && isOver(found.heldUntil)) giveBack(found, 'hold-ended', null);
    return { kind: 'done' };
  }

  function giveBack(found: StoredRedemption, reason: ReleaseReason, admin: Actor | null): void {
    counts.giveBack(found);
    if (found.heldUntil) counts.endHold(found, Math.max(0, seconds(now, found.heldUntil)));
    if (found.openFor !== undefined) open.delete(found.openFor);
    change(found.id, (current) => {
      const audit = admin === null ? [] : [auditOfRelease(current, admin)];
      return withFacts(released(current, reason, now), ...audit);
    });
  }

  /** Returns the redemptions with which the order was placed. */
  function redemptionsOf({ userId, orderId, redemptionId }: PlaceOrder): StoredRedemption[] {
    // An order that asked for its discounts has those and no others. They are never taken again.
    if (known.has(orderId))
      return [...byId.values()].filter(({ id, status }) => id === holdIdOf(orderId) && status !== 'released');
    const isOfUser = ({ owner }: StoredRedemption) => owner === userId || owner === guest;
    const named = redemptionId === null ? undefined : byId.get(redemptionId);
    // An order that names its own redemption means this one, and not another redemption that is open for the order by
    // now.
    if (named?.orderRef === orderId && isOfUser(named)) return [named];
    const isOfOrder = ({ status, placedFor, orderRef }: StoredRedemption) =>
      status !== 'released' && placedFor === null && orderRef === orderId;
    return [...byId.values()].filter((one) => isOfUser(one) && (one === named || isOfOrder(one)));
  }

  function placeOrder(step: PlaceOrder): Outcome {
    const { userId, orderId } = step;
    if (orderChanges.has(orderId)) return { kind: 'postponed' };
    const order = known.get(orderId);
    if (order?.status === 'cancelled') return { kind: 'done' };
    const concerned = redemptionsOf(step).filter(({ placedFor }) => placedFor !== orderId);
    const isChanging = (one: StoredRedemption) =>
      changes.has(one.id) || (isForAnother(one, orderId) && changes.has(anotherIdOf(one.id, orderId)));
    if (concerned.some(isChanging)) return { kind: 'postponed' };
    // No new data are stored about a user who is being erased.
    const isErased = userId !== null && erasedUsers.has(userId);
    for (const one of concerned) {
      if (isForAnother(one, orderId)) {
        if (!isErased) takeAnother(one, step);
      } else if (one.status !== 'released') place(one, step);
      else if (!isErased) retake(one, step);
    }
    if (userId !== null && !isErased) counts.noteOrder(userId, orderId);
    if (order?.status === 'open') orderChanges.set(orderId, ended(order, orderId, 'placed', now));
    return { kind: 'done' };
  }

  function place(found: StoredRedemption, order: PlacedOrder): void {
    if (found.status === 'held') {
      counts.lower(found.parts, partsWithinOrder(found, order.stated));
      endHoldWithOrder(found);
    }
    change(found.id, (current) => placed(current, order, now));
  }

  function retake(found: StoredRedemption, order: PlacedOrder): void {
    const beyond = takeBeyondLimits(found, order);
    change(found.id, (current) => retaken(current, order, beyond, now));
  }

  /**
   * Takes the same discounts once more for another order that names the redemption, because one redemption is only for
   * one order.
   */
  function takeAnother({ id }: StoredRedemption, order: PlacedOrder): void {
    const anotherId = anotherIdOf(id, order.orderId);
    const original = originals.get(id);
    if (byId.has(anotherId) || !original) return;
    const another = anotherOf(original, anotherId, order.orderId, now);
    const decision = retaken(another, order, takeBeyondLimits(another, order), now);
    changes.set(anotherId, () => decision);
  }

  /** Takes the discounts again, and returns the campaigns whose limits are exceeded by this. */
  function takeBeyondLimits(one: Pick<Redemption, 'owner' | 'parts' | 'currency'>, { stated }: PlacedOrder): string[] {
    const { owner } = one;
    const parts = partsWithinOrder(one, stated);
    counts.takeAgain({ owner, parts });
    const userId = userOf(one);
    return parts.flatMap(({ campaignId, code }) => {
      const limits = rulesOf(campaignId)?.limits;
      const { redemptions: used, amount } = counts.usage.get(campaignId) ?? { redemptions: 0, amount: 0 };
      const byUser = userId === null ? 0 : (counts.shopper(userId).uses.get(campaignId) ?? 0);
      const known = code === null ? undefined : counts.codes.get(code);
      const isPassed =
        isMore(used, limits?.total) ||
        isMore(amount, limits?.budget) ||
        isMore(byUser, limits?.perUser) ||
        isMore(known?.uses ?? 0, known?.maximumUses);
      return isPassed ? [campaignId] : [];
    });
  }

  function change(id: string, decide: (current: Redemption) => Decision<Redemption, Redemption>): void {
    changes.set(id, (current) => {
      if (!current) throw new Error(`${id} does not exist any more`);
      return decide(current);
    });
  }

  function perform(step: Step): Outcome {
    switch (step.kind) {
      case 'redeem':
        return redeem(step);
      case 'hold-for-order':
        return holdForOrder(step);
      case 'cancel-order':
        return cancelOrder(step);
      case 'confirm':
        return confirm(step);
      case 'release':
        return release(step);
      case 'end-hold':
        return giveBackHeld(step.id, (heldUntil) => heldUntil <= now);
      case 'give-up':
        return giveBackHeld(step.id, () => true);
      case 'place-order':
        return placeOrder(step);
    }
  }

  return {
    changes,
    orderChanges,
    decide(step) {
      try {
        return perform(step);
      } catch (error) {
        if (error instanceof Refusal) return { kind: 'refused', refusal: error };
        throw error;
      }
    },
  };
}

/** Returns the orders whose open redemptions a step needs, each as the result of `openForOf`. */
export function openForsOf(step: Step): string[] {
  if (step.kind === 'redeem') return [openForOf(step.owner, step.orderRef)];
  if (step.kind !== 'place-order') return [];
  return [step.userId ?? guest, guest].map((owner) => openForOf(owner, step.orderId));
}

/** Returns the ids of the orders whose records a step needs. */
export function orderIdsOf(step: Step): readonly string[] {
  return 'orderId' in step ? [step.orderId] : [];
}

/** Returns the ids of the redemptions that a step names, and of those that it may create. */
export function idsOf(step: Step): readonly string[] {
  if (!('orderId' in step)) return [step.id];
  const { orderId } = step;
  const holdId = holdIdOf(orderId);
  const ids = holdId === null ? [] : [holdId];
  if (step.kind !== 'place-order' || step.redemptionId === null) return ids;
  return [...ids, step.redemptionId, anotherIdOf(step.redemptionId, orderId)];
}

/** Whether a different order was placed with the redemption before. */
export function isForAnother({ placedFor }: Pick<StoredRedemption, 'placedFor'>, orderId: string): boolean {
  return placedFor !== null && placedFor !== orderId;
}

/**
 * Returns an id that is derived from the redemption and the order. So the order's event finds the same redemption when
 * the event comes again.
 */
function anotherIdOf(id: string, orderId: string): string {
  return derivedId('red', id, orderId);
}

function hasApplied({ campaigns }: Evaluation): boolean {
  return campaigns.some(({ applied }) => applied);
}

function isMore(used: number, limit: number | null | undefined): boolean {
  return limit !== null && limit !== undefined && used > limit;
}

/** Returns the whole seconds between two times. */
function seconds(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / 1000);
}

function refuseErased(isByAdmin: boolean): Refusal {
  return isByAdmin
    ? invalidFields([bodyField('/userId', 'unknown_user', 'is no user')])
    : commonErrors.invalidToken('The account was erased');
}
