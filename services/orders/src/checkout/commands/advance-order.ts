import { changed, unchanged, withFacts, type Decision } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import type { Carts } from '../../carts/carts.ts';
import { advance, canTake, isPlacedBy, isUnpaidAfter } from '../domain/advance.ts';
import type { Answered } from '../domain/answers.ts';
import { isOver, isUnpaid, withoutPerson, type Order } from '../domain/order.ts';
import { refundedFacts } from '../domain/order-facts.ts';
import type { OrderStore } from '../store/orders.ts';

export interface AdvanceNeeds extends OrderStore {
  readonly carts: Pick<Carts, 'thaw' | 'end'>;
  readonly now: () => Date;
  /** Called with an order that was changed, once the change is saved. */
  readonly onChanged: (order: Order) => void;
}

type Outcome =
  | { readonly kind: 'unknown' }
  /** The order can't take the step: it has taken it before, or it is too late for it. */
  | { readonly kind: 'not-taken'; readonly order: Order }
  | { readonly kind: 'taken'; readonly order: Order; readonly before: Order }
  /** The step ends what the order is to its cart and its buyer: it needs a transaction, and a number if it is placed. */
  | { readonly kind: 'ends'; readonly isPlaced: boolean };

/**
 * Lets an order take a step, and saves it with the events that follow from it. `stepOf` gets the order as it is and says
 * which step it takes, with the order as the step has it; null for none. It may run several times. A step that ends the
 * checkout frees or ends the cart in the same transaction. `known` saves a read, as for `Repository.change`.
 */
export async function advanceOrder(
  needs: AdvanceNeeds,
  id: string,
  stepOf: (order: Order) => Answered | null,
  known?: Loaded<Order>,
): Promise<Exclude<Outcome, { kind: 'ends' }>> {
  const { orders, now, onChanged } = needs;
  const step = (current: Order | null) => decide(current, stepOf, { now: now(), inTransaction: null });
  const { result } = await orders.change(id, step, known);
  const outcome =
    result.kind === 'ends'
      ? await endCheckout(needs, id, stepOf, result.isPlaced ? await needs.nextNumber(now().getUTCFullYear()) : null)
      : result;
  if (outcome.kind === 'taken') onChanged(outcome.order);
  return outcome;
}

async function endCheckout(
  { orders, now, ...needs }: AdvanceNeeds,
  id: string,
  stepOf: (order: Order) => Answered | null,
  number: string | null,
): Promise<Exclude<Outcome, { kind: 'ends' }>> {
  return needs.inTransaction(async (transaction) => {
    const [saved] = await orders.changeAll(transaction, [id], (_id, current) =>
      decide(current, stepOf, { now: now(), inTransaction: { number } }),
    );
    const outcome = saved?.result ?? { kind: 'unknown' };
    if (outcome.kind === 'ends') throw new Error(`${id} was not ended in its transaction`);
    if (outcome.kind !== 'taken' || isUnpaid(outcome.order)) return outcome;
    const { order, before } = outcome;
    await needs.countNoLonger(transaction, before.unpaidKeys, id);
    if (isOver(order)) await needs.carts.thaw(transaction, order.cartKey, id);
    else await needs.carts.end(transaction, order.cartKey, id);
    return outcome;
  });
}

function decide(
  current: Order | null,
  stepOf: (order: Order) => Answered | null,
  { now, inTransaction }: { readonly now: Date; readonly inTransaction: { readonly number: string | null } | null },
): Decision<Order, Outcome> {
  if (!current) return unchanged({ kind: 'unknown' });
  const answered = stepOf(current);
  if (!answered || !canTake(current, answered.step)) return unchanged({ kind: 'not-taken', order: current });
  const { order, step } = answered;
  const ends = isUnpaid(current) && !isUnpaidAfter(current, step);
  const isPlaced = isPlacedBy(current, step);
  if (ends && (inTransaction === null || (isPlaced && inTransaction.number === null)))
    return unchanged({ kind: 'ends', isPlaced });
  const decision = advance(order, step, { now, number: inTransaction?.number ?? null });
  if (decision.kind !== 'changed') throw new Error(`${current.id} does not change by ${step.happening}`);
  const { state, facts } = decision;
  // What a user who is erased has not paid is nobody's from now on.
  const next = isOver(state) && state.closingReason === 'erased' ? withoutPerson(state) : state;
  const decided = changed<Order, Outcome>(next, facts, { kind: 'taken', order: next, before: current });
  return withFacts(decided, ...refundedFacts(current, state), ...(answered.audit ? [answered.audit] : []));
}
