import { notFound, ordersErrors, type Actor, type ordersHttp } from '@storefront/contracts';
import type { ErasedUsers } from '@storefront/mongo';
import type { Answered } from '../domain/answers.ts';
import * as changes from '../domain/changes.ts';
import { cancel, deliver, isShippedAs, ship, type Cancelling } from '../domain/fulfilment.ts';
import type { Order, SomePieces } from '../domain/order.ts';
import { hasChange, reduce, refund } from '../domain/reductions.ts';
import { hasReturn, isReturn, receiveReturn, requestReturn, withdrawReturn } from '../domain/returns.ts';
import type { Step } from '../domain/transitions.ts';
import type { OrderSecrets } from '../secrets/order-secrets.ts';
import type { MailBudgets } from '../store/mail-budgets.ts';
import { advanceOrder, type AdvanceNeeds } from './advance-order.ts';
import { eraseOrders } from './user-data.ts';

/**
 * Cancels the order: at once where nothing could have been paid, else once its payment is closed. One that is cancelled
 * already, or is being, does not change. Throws `invalid_transition`.
 */
export function cancelOrder(needs: AdvanceNeeds, id: string, cancelling: Cancelling): Promise<Order> {
  const isCancelled = ({ status, closingReason }: Order) =>
    status === 'cancelled' || (status === 'closing' && closingReason === 'cancelled');
  return request(needs, id, isCancelled, (order) => cancel(order, cancelling));
}

// Each is a page at the provider, and a record of it for good.
const mostAttempts = 10;

/** Asks for another page on which the order is paid. Throws `invalid_transition` and `too_many_attempts`. */
export function payOrder(needs: AdvanceNeeds, id: string): Promise<Order> {
  const step: Step = { happening: 'pay', by: 'buyer' };
  return request(
    needs,
    id,
    () => false,
    (order) => {
      if (order.payment.attempts >= mostAttempts) throw ordersErrors.tooManyAttempts(mostAttempts);
      return order.payment.method === 'card' ? { order, step } : null;
    },
  );
}

/** Cancels pieces of the order, as `reduce` says. A part that is known changes nothing. Throws `invalid_transition`. */
export function cancelPart(
  needs: AdvanceNeeds,
  id: string,
  { actor, ...part }: { actor: Actor; id: string; lines: SomePieces; reason: string | undefined },
): Promise<Order> {
  return request(
    needs,
    id,
    (order) => hasChange(order, part.id),
    (order) => whilePlaced(order, () => reduce(order, part, { actor, now: needs.now() })),
  );
}

/** Refunds a part of the order, as `refund` says. A refund that is known changes nothing. Throws `invalid_transition`. */
export function refundOrder(
  needs: AdvanceNeeds,
  id: string,
  { actor, ...given }: { actor: Actor; id: string; given: ordersHttp.RefundCreation },
): Promise<Order> {
  return request(
    needs,
    id,
    (order) => hasChange(order, given.id),
    (order) => whilePlaced(order, () => refund(order, given, { actor, now: needs.now() })),
  );
}

/** Ships pieces of the order, as `ship` says. A shipment that is known changes nothing. Throws `invalid_transition`. */
export function shipOrder(
  needs: AdvanceNeeds,
  id: string,
  { actor, ...shipment }: { actor: Actor; id: string; given: ordersHttp.ShipmentCreation },
): Promise<Order> {
  return request(
    needs,
    id,
    (order) => isShippedAs(order, shipment.id),
    (order) => whilePlaced(order, () => ship(order, shipment, { actor, now: needs.now() })),
  );
}

/** Notes that the order was delivered, once. Throws `invalid_transition`. */
export function deliverOrder(needs: AdvanceNeeds, id: string, actor: Actor): Promise<Order> {
  return request(
    needs,
    id,
    ({ fulfilment }) => fulfilment === 'delivered',
    (order) => whilePlaced(order, () => deliver(order, { actor, now: needs.now() })),
  );
}

/**
 * Announces a return of pieces of the order, as `requestReturn` says. A return that is known changes nothing. Throws
 * `invalid_transition`.
 */
export function returnPieces(
  needs: AdvanceNeeds,
  id: string,
  { actor, ...announced }: { actor: Actor; id: string; by: Step['by']; given: ordersHttp.ReturnCreation },
): Promise<Order> {
  return request(
    needs,
    id,
    (order) => hasReturn(order, announced.id),
    (order) => whilePlaced(order, () => requestReturn(order, announced, { actor, now: needs.now() })),
  );
}

/** Withdraws a return, once, as `withdrawReturn` says. Throws `invalid_transition`. */
export function keepPieces(
  needs: AdvanceNeeds,
  id: string,
  { actor, ...withdrawn }: { actor: Actor; id: string; by: Step['by'] },
): Promise<Order> {
  return request(
    needs,
    id,
    (order) => isReturn('withdrawn', order, withdrawn.id),
    (order) => whilePlaced(order, () => withdrawReturn(order, withdrawn, { actor })),
  );
}

/** Notes that a return has come, once, as `receiveReturn` says. Throws `invalid_transition`. */
export function takeBackPieces(
  needs: AdvanceNeeds,
  id: string,
  { actor, ...received }: { actor: Actor; id: string; given: ordersHttp.ReturnReceipt },
): Promise<Order> {
  return request(
    needs,
    id,
    (order) => isReturn('received', order, received.id),
    (order) => whilePlaced(order, () => receiveReturn(order, received, { actor, now: needs.now() })),
  );
}

/** Changes the order as `changes.changeOrder` says. Throws `invalid_transition`. */
export function changeOrder(
  needs: AdvanceNeeds,
  id: string,
  { actor, given }: { readonly actor: Actor; readonly given: ordersHttp.OrderChange },
): Promise<Order> {
  return request(
    needs,
    id,
    () => false,
    (order) => changes.changeOrder(order, given, { actor }),
  );
}

/**
 * Sends a mail about the order once more, as `changes.mailAgain` says; under a known id nothing. Throws `invalid_transition` and
 * `too_many_mails`.
 */
export async function mailOrder(
  needs: AdvanceNeeds & { readonly mailBudgets: MailBudgets },
  id: string,
  { actor, ...mail }: { readonly actor: Actor; readonly id: string } & ordersHttp.OrderMail,
): Promise<Order> {
  const found = await needs.orders.load(id);
  if (!found) throw notFound('order');
  // What is refused anyway costs nothing of the budget.
  if (!hasChange(found.state, mail.id)) {
    changes.mailAgain(found.state, mail, { actor });
    await needs.mailBudgets.spend(found.state);
  }
  return request(
    needs,
    id,
    (order) => hasChange(order, mail.id),
    (order) => changes.mailAgain(order, mail, { actor }),
  );
}

interface ClaimNeeds extends AdvanceNeeds {
  readonly orderSecrets: Pick<OrderSecrets, 'matches'>;
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
}

/**
 * Makes the order of a guest that of the user who has its secret. One that is the user's already does not change. Throws `not_found`
 * with another secret and for a user who is being erased, `invalid_transition` before it is placed, and `retail_account_required`.
 */
export async function claimOrder(
  needs: ClaimNeeds,
  id: string,
  { userId, tier, secret }: { readonly userId: string; readonly tier: Order['tier']; readonly secret: string },
): Promise<Order> {
  const { orderSecrets, erasedUsers } = needs;
  if (await erasedUsers.has(userId)) throw notFound('order');
  const order = await request(
    needs,
    id,
    (current) => current.userId === userId,
    (current) => {
      if (current.secret === null || !orderSecrets.matches(current.secret.digest, secret)) throw notFound('order');
      if (tier === 'trade') throw ordersErrors.retailAccountRequired();
      return changes.claim(current, userId);
    },
  );
  // The user may have been erased while the order was being claimed.
  if (!(await erasedUsers.has(userId))) return order;
  await eraseOrders(needs, userId);
  throw notFound('order');
}

function whilePlaced(order: Order, decide: () => Answered | null): Answered | null {
  return order.status === 'placed' ? decide() : null;
}

/**
 * Lets the order take the step that is asked for. Where `isDone`, it has been taken before, and nothing changes. Throws
 * `invalid_transition` where the order can't take it.
 */
async function request(
  needs: AdvanceNeeds,
  id: string,
  isDone: (order: Order) => boolean,
  stepOf: (order: Order) => Answered | null,
): Promise<Order> {
  const outcome = await advanceOrder(needs, id, (order) => (isDone(order) ? null : stepOf(order)));
  if (outcome.kind === 'unknown') throw notFound('order');
  const { kind, order } = outcome;
  if (kind === 'not-taken' && !isDone(order)) throw ordersErrors.invalidTransition(order.status);
  return order;
}
