import {
  bodyField,
  commonErrors,
  engagementErrors,
  invalidFields,
  notFound,
  Refusal,
  withFacts,
} from '@storefront/contracts';
import type { Actor, Decision } from '@storefront/contracts';
import { evaluateWithCodes } from './asked-codes.ts';
import type { Offers } from './asked-codes.ts';
import { auditOfRelease } from './audit.ts';
import type { Cart } from './cart.ts';
import { hasOrdered, redeemedOn } from './counts.ts';
import type { Counts } from './counts.ts';
import { confirmed, guest, mayConfirm, mayRelease, openForOf, redeemed, released, userOf } from './redemption.ts';
import type { Redemption, StoredRedemption } from './redemption.ts';

/** Redeems what applies to a cart, for an order. */
export interface Redeem {
  readonly kind: 'redeem';
  /** Of the redemption that it makes. */
  readonly id: string;
  readonly owner: string;
  readonly orderRef: string;
  readonly segment: Redemption['segment'];
  readonly cart: Cart;
  readonly codes: readonly string[];
  readonly cartHash: string;
  readonly holdMs: number | null;
  /** Without the shipping's discount it would not be what the shopper has seen: both together. */
  readonly expectedDiscount: number | null;
  readonly isByAdmin: boolean;
}

/** `owner` is null for an administrator. */
interface Confirm {
  readonly kind: 'confirm';
  readonly id: string;
  readonly owner: string | null;
}

/** Gives one back that somebody no longer wants. */
interface Release {
  readonly kind: 'release';
  readonly id: string;
  readonly by: Releaser;
}

/** An owner may give back what is theirs; an administrator may give back any, and the audit log is told who it was. */
export type Releaser = { readonly owner: string } | { readonly admin: Actor };

/** Gives one back whose time is over. */
interface EndHold {
  readonly kind: 'end-hold';
  readonly id: string;
}

/** Gives back what is held for a user who is being erased. */
interface GiveUp {
  readonly kind: 'give-up';
  readonly id: string;
}

/** An order is placed. */
interface PlaceOrder {
  readonly kind: 'place-order';
  readonly userId: string;
  readonly orderId: string;
  /** Redemptions that the order names. */
  readonly ids: readonly string[];
}

export type Step = Redeem | Confirm | Release | EndHold | GiveUp | PlaceOrder;

/** What became of a step. */
export type Outcome =
  /** The redemption is another one once the changes are saved. */
  | { readonly kind: 'changed'; readonly id: string; readonly isNew: boolean }
  /** It is as it was. */
  | { readonly kind: 'unchanged'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** An earlier step changes the same redemption: this one is to be decided after that is saved. */
  | { readonly kind: 'postponed' }
  | { readonly kind: 'done' };

/** What steps are decided by; all as of one moment. */
export interface World {
  readonly redemptions: readonly StoredRedemption[];
  readonly counts: Counts;
  readonly offersFor: (step: Redeem) => Offers;
  readonly erasedUsers: ReadonlySet<string>;
  readonly now: Date;
}

export type Change = (current: Redemption | null) => Decision<Redemption, Redemption>;

/** How many redemptions a user can make on a day. */
export const maxRedemptionsADay = 200;

/** Decides steps one after the other: each counts with what the former ones took and gave back. */
export function createDecider({ redemptions, counts, offersFor, erasedUsers, now }: World): {
  readonly decide: (step: Step) => Outcome;
  /** What is to be saved, by the ids of the redemptions, in the order in which it was decided. */
  readonly changes: ReadonlyMap<string, Change>;
} {
  const byId = new Map(redemptions.map((one) => [one.id, one]));
  /** Those that are held or confirmed, by their orders. */
  const open = new Map<string, Pick<Redemption, 'id' | 'cartHash'>>();
  for (const one of redemptions) if (one.status !== 'released') open.set(openForOf(one.owner, one.orderRef), one);
  const changes = new Map<string, Change>();

  function redeem(step: Redeem): Outcome {
    const { id, owner, orderRef, cartHash, segment } = step;
    const forOrder = openForOf(owner, orderRef);
    // The same attempt again, which may have been given back meanwhile.
    if (byId.has(id)) return { kind: 'unchanged', id };
    const existing = open.get(forOrder);
    if (existing) {
      if (existing.cartHash !== cartHash) throw engagementErrors.orderAlreadyRedeemed();
      return { kind: 'unchanged', id: existing.id };
    }
    const userId = userOf(step);
    if (userId !== null && erasedUsers.has(userId)) throw refuseErased(step.isByAdmin);
    const known = userId === null ? null : counts.shopper(userId);
    if (known && !step.isByAdmin && redeemedOn(known, now) >= maxRedemptionsADay)
      throw engagementErrors.tooManyRedemptions();

    const shopper = {
      segment,
      userId,
      hasOrdered: known !== null && hasOrdered(known, orderRef),
      uses: known?.uses ?? new Map<string, number>(),
    };
    const evaluation = evaluateWithCodes({ cart: step.cart, shopper, codes: step.codes }, offersFor(step), now);
    const given = evaluation.discount + evaluation.shippingDiscount;
    if (step.expectedDiscount !== null && step.expectedDiscount !== given)
      throw engagementErrors.discountChanged().with({ members: { evaluation } });
    if (!evaluation.campaigns.some(({ applied }) => applied))
      throw engagementErrors.noDiscountApplies().with({ members: { evaluation } });

    const decision = redeemed({ id, owner, orderRef, segment, cartHash, evaluation }, step.holdMs, now);
    counts.take(decision.result, now);
    open.set(forOrder, decision.result);
    changes.set(id, () => decision);
    return { kind: 'changed', id, isNew: true };
  }

  function find(id: string, owner: string | null): StoredRedemption {
    const found = byId.get(id);
    if (!found || (owner !== null && found.owner !== owner)) throw notFound('redemption');
    return found;
  }

  function confirm({ id, owner }: Confirm): Outcome {
    const found = find(id, owner);
    if (changes.has(id)) return { kind: 'postponed' };
    if (!mayConfirm(found)) return { kind: 'unchanged', id };
    change(id, (current) => confirmed(current, 'request', now));
    return { kind: 'changed', id, isNew: false };
  }

  function release({ id, by }: Release): Outcome {
    const [owner, admin] = 'admin' in by ? [null, by.admin] : [by.owner, null];
    const found = find(id, owner);
    if (changes.has(id)) return { kind: 'postponed' };
    if (!mayRelease(found, admin !== null)) return { kind: 'unchanged', id };
    giveBack(found, 'requested', admin);
    return { kind: 'changed', id, isNew: false };
  }

  function giveBackHeld(id: string, isOver: (heldUntil: Date) => boolean): Outcome {
    const found = byId.get(id);
    if (changes.has(id)) return { kind: 'postponed' };
    if (found?.heldUntil && isOver(found.heldUntil)) giveBack(found, 'hold-ended', null);
    return { kind: 'done' };
  }

  function giveBack(found: StoredRedemption, reason: 'requested' | 'hold-ended', admin: Actor | null): void {
    counts.giveBack(found);
    open.delete(openForOf(found.owner, found.orderRef));
    change(found.id, (current) => {
      const audit = admin === null ? [] : [auditOfRelease(current, admin)];
      return withFacts(released(current, reason, now), ...audit);
    });
  }

  function placeOrder({ userId, orderId, ids }: PlaceOrder): Outcome {
    const named = new Set(ids);
    const concerned = [...byId.values()].filter(
      (one) =>
        one.status !== 'released' &&
        (one.owner === userId || one.owner === guest) &&
        (one.orderRef === orderId || named.has(one.id)),
    );
    if (concerned.some(({ id }) => changes.has(id))) return { kind: 'postponed' };
    for (const { id, status, placedAt } of concerned)
      if (status === 'held' || placedAt === null) change(id, (current) => confirmed(current, 'order-placed', now));
    if (!erasedUsers.has(userId)) counts.noteOrder(userId, orderId);
    return { kind: 'done' };
  }

  function change(id: string, decide: (current: Redemption) => Decision<Redemption, Redemption>): void {
    changes.set(id, (current) => {
      if (!current) throw new Error(`${id} was there and is not`);
      return decide(current);
    });
  }

  function perform(step: Step): Outcome {
    switch (step.kind) {
      case 'redeem':
        return redeem(step);
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

/** The orders for which a step looks for redemptions. */
export function ordersOf(step: Step): string[] {
  if (step.kind === 'redeem') return [openForOf(step.owner, step.orderRef)];
  if (step.kind !== 'place-order') return [];
  return [openForOf(step.userId, step.orderId), openForOf(guest, step.orderId)];
}

/** The redemptions that a step names. */
export function idsOf(step: Step): readonly string[] {
  return step.kind === 'place-order' ? step.ids : [step.id];
}

function refuseErased(isByAdmin: boolean): Refusal {
  return isByAdmin
    ? invalidFields([bodyField('/userId', 'unknown_user', 'is no user')])
    : commonErrors.invalidToken('The account was erased');
}
