import {
  changed,
  derivedId,
  engagementEvents,
  eventRecordDays,
  fact,
  isId,
  unchanged,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import type { Evaluation } from '../evaluation/evaluation.ts';

/** The data of the event that answers an order: what is held for it, or why nothing can be. */
export type OrderAnswer =
  | StateOf<typeof engagementEvents.discountHeld.data>
  | StateOf<typeof engagementEvents.discountRefused.data>;

/**
 * The answer to an order that asked for its discounts. It is kept for a while after the order has ended, so that events
 * of the order that come again, or late, take nothing and give nothing back.
 */
export const orderDiscounts = z.object({
  /** The order's id. */
  id: z.string(),
  /** `open` until the order is placed or cancelled. A placed order may be cancelled later. */
  status: z.enum(['open', 'placed', 'cancelled']),
  /** Null where the order was cancelled before its request arrived. */
  answer: z.custom<OrderAnswer>().nullable(),
  /** When the record is deleted; null as long as the order is open. */
  keptUntil: z.date().nullable(),
});
export type OrderDiscounts = StateOf<typeof orderDiscounts>;

const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;

/**
 * Returns the id of the redemption that is held for an order of the orders service, which every event of the order
 * finds by this, also long after its record is gone. Null for an order of a system outside, which has ids of its own.
 */
export function holdIdOf(orderId: string): string | null {
  return isId('ord', orderId) ? derivedId('red', orderId, 'discounts') : null;
}

/** Returns what an order is answered. `redemptionId` is null where nothing applies. */
export function answerOf(redemptionId: string | null, evaluation: Evaluation): OrderAnswer {
  const { currency, lines, discount, shippingDiscount, campaigns, codes } = evaluation;
  return {
    redemptionId,
    currency,
    lines: lines.map((line) => ({ lineId: line.lineId, discount: line.discount })),
    discount,
    shippingDiscount,
    campaigns: campaigns
      .filter(({ applied }) => applied)
      .map(({ campaignId, name, code, amount }) => ({ campaignId, name, code, amount })),
    codes: codes.map(({ code, status }) => ({ code, status })),
  };
}

/** Answers the first request of an order. */
export function answered(id: string, answer: OrderAnswer): Decision<OrderDiscounts, OrderDiscounts> {
  return changed({ id, status: 'open', answer, keptUntil: null }, [answerEvent(id, answer)]);
}

/** Answers a request that came again as the first one. After the order was cancelled there is no answer. */
export function answeredAgain(order: OrderDiscounts): Decision<OrderDiscounts, OrderDiscounts> {
  const { id, status, answer } = order;
  return status === 'cancelled' || answer === null ? unchanged(order) : changed(order, [answerEvent(id, answer)]);
}

/** Notes that the order was placed, or cancelled. `current` is null where an order was cancelled before it asked. */
export function ended(
  current: OrderDiscounts | null,
  id: string,
  status: 'placed' | 'cancelled',
  now: Date,
): Decision<OrderDiscounts, OrderDiscounts> {
  const keptUntil = new Date(now.getTime() + keptMs);
  return changed({ id, answer: current?.answer ?? null, status, keptUntil }, []);
}

function answerEvent(orderId: string, answer: OrderAnswer): Fact {
  return 'reason' in answer
    ? fact(engagementEvents.discountRefused, orderId, answer)
    : fact(engagementEvents.discountHeld, orderId, {
        ...answer,
        lines: [...answer.lines],
        campaigns: [...answer.campaigns],
        codes: [...answer.codes],
      });
}
