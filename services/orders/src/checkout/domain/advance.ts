import { changed, type Decision } from '@storefront/contracts';
import { isUnpaid, nextPaymentId, type Order } from './order.ts';
import { factOf } from './order-facts.ts';
import { dueAtOf, stuckAtOf } from './time-outs.ts';
import { entryNames, transitions, type Command, type Step } from './transitions.ts';

/** Whether the order would be placed by the step, for which it needs a number. */
export function isPlacedBy({ status }: Pick<Order, 'status'>, { happening }: Step): boolean {
  const transition = transitions[status][happening];
  return transition !== undefined && transition !== 'same' && transition.commands.includes('place');
}

/** Whether the order still counts as unpaid after the step. */
export function isUnpaidAfter({ status }: Pick<Order, 'status'>, { happening }: Step): boolean {
  const transition = transitions[status][happening];
  return transition === 'same' || transition === undefined || isUnpaid({ status: transition.to });
}

/** Whether the order can take the step now. */
export function canTake({ status }: Pick<Order, 'status'>, { happening }: Step): boolean {
  return transitions[status][happening] !== undefined;
}

/**
 * Takes a step as `transitions` says: the order as it is after it, with the events that have the others do their part. The
 * given order already has what the step has brought, such as prices. `number` is the one that it takes if it is placed.
 * Throws where the order can't take the step: ask `canTake` before.
 */
export function advance(
  order: Order,
  step: Step,
  { now, number }: { readonly now: Date; readonly number: string | null },
): Decision<Order, Order> {
  const transition = transitions[order.status][step.happening];
  if (transition === undefined) throw new Error(`${order.id} is ${order.status}: it can't take ${step.happening}`);
  if (transition === 'same') return changed(withDue({ ...order, updatedAt: now }), []);
  const { to, commands } = transition;
  let next: Order = {
    ...order,
    status: to,
    refusal: step.refusal ?? order.refusal,
    closingReason: step.reason ?? order.closingReason,
    updatedAt: now,
  };
  const what = entryNames[step.happening] ?? (to === order.status ? null : to);
  if (what !== null) next = { ...next, timeline: [...order.timeline, entryOf(what, step, now)] };
  if (to !== order.status || step.happening === 'sent') next = { ...next, statusSince: now };
  for (const command of commands) next = prepared(next, command, { now, number });
  next = withDue(next);
  const facts = commands.flatMap((command) => factOf(command, next, { from: order.status, step }) ?? []);
  return changed(next, facts);
}

function entryOf(what: string, { by, lines = [], amount, note, changeId }: Step, at: Date): Order['timeline'][number] {
  return {
    at,
    what,
    by,
    lines: [...lines],
    amount: amount ?? null,
    reason: note ?? null,
    changeId: changeId ?? null,
  };
}

/** The order with what the command itself changes. */
function prepared(order: Order, command: Command, { now, number }: { now: Date; number: string | null }): Order {
  switch (command) {
    case 'request-recipient':
    case 'reserve-stock':
    case 'request-discount':
    case 'close-payment':
      return { ...order, askedAt: now, repetitions: 0 };
    case 'request-payment': {
      const { payment } = order;
      const id = nextPaymentId(order);
      const opening = { ...payment, id, attempts: payment.attempts + 1, redirectUrl: null, status: 'open' as const };
      return { ...order, payment: opening, askedAt: now, repetitions: 0 };
    }
    case 'ask-again':
      return { ...order, repetitions: order.repetitions + 1 };
    case 'place':
      if (number === null) throw new Error(`${order.id} is placed without a number`);
      return { ...order, number, placedAt: now };
    case 'give-back':
      return { ...order, payment: { ...order.payment, redirectUrl: null } };
    case 'take-stock':
    case 'note-delivery':
    case 'give-part-back':
    case 'take-back':
    case 'begin-checkout':
    case 'tell-buyer':
    case 'tell-again':
      return order;
  }
}

function withDue(order: Order): Order {
  return { ...order, dueAt: dueAtOf(order), stuckAt: stuckAtOf(order) };
}
