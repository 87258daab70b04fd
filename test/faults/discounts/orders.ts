import type { engagementHttp, http } from '@storefront/contracts';
import { type Reply, isSuccess } from '../client.ts';

/** What a campaign took off an order, in cents. */
export interface RedeemedPart {
  readonly campaignId: string;
  readonly code: string | null;
  readonly amount: number;
}

/** An order whose discounts a client has asked for, and what the answers have said about them. */
export interface TestOrder {
  readonly orderRef: string;
  /** The same at each try. */
  readonly key: string;
  readonly body: { readonly codes: readonly string[]; readonly hold?: { readonly seconds: number } };
  /** The most that its cart can cost, in cents. */
  readonly subtotal: number;
  /** Null as long as no answer has said it. */
  redemption: { readonly id: string; readonly parts: readonly RedeemedPart[]; readonly heldUntil: Date | null } | null;
  /**
   * The last known state. `none`: nothing was redeemed, for certain. `unclear`: the redemption had no answer, so it may still be
   * carried out.
   */
  state: 'none' | 'unclear' | 'held' | 'confirmed' | 'released';
  /** A confirmation had no answer, or the order was placed: a held redemption may end confirmed. */
  mayBeConfirmed: boolean;
  /** A release had no answer. It may be carried out at any later time. */
  mayBeReleased: boolean;
  /** The broker has the event that the order is placed, or may have it. */
  isPlaced: boolean;
}

export function newOrder(given: Pick<TestOrder, 'orderRef' | 'key' | 'body' | 'subtotal'>): TestOrder {
  const nothingKnown = { redemption: null, mayBeConfirmed: false, mayBeReleased: false, isPlaced: false };
  return { ...given, ...nothingKnown, state: 'none' };
}

/** A wrong answer. */
export interface WrongAnswer {
  readonly expected: string;
  readonly found: string;
}

const isUncertain = ({ status, uncertainTries }: Reply) => status === 0 || uncertainTries > 0;
const shown = ({ status, code }: Reply) => [status, code].filter((part) => part !== undefined).join(' ');

/** Notes the answer to a redemption, the first one or the same once more. Returns what is wrong about it. */
export function noteRedemption(order: TestOrder, reply: Reply): WrongAnswer | null {
  const { redemption, state } = order;
  if (!isSuccess(reply)) {
    const isRedeemed = state === 'confirmed' && !order.mayBeReleased;
    const isRefused = reply.status === 404 || reply.status === 409 || reply.status === 422;
    if (isRedeemed && isRefused) return { expected: 'the same answer again', found: shown(reply) };
    if (state === 'none' && isUncertain(reply)) order.state = 'unclear';
    return null;
  }
  const { id, status, heldUntil, evaluation } = reply.body;
  if (redemption && redemption.id !== id) return { expected: redemption.id, found: id };
  const parts = partsOf(evaluation);
  if (redemption && JSON.stringify(redemption.parts) !== JSON.stringify(parts))
    return { expected: JSON.stringify(redemption.parts), found: JSON.stringify(parts) };
  // A redemption that is no longer held has no such time; the first answer had it.
  const until = heldUntil === null ? (redemption?.heldUntil ?? null) : new Date(heldUntil);
  order.redemption = { id, parts, heldUntil: until };
  if (state === 'none' || state === 'unclear') order.state = status;
  if (parts.length === 0) return { expected: 'at least one campaign', found: 'none' };
  return wrongSums(evaluation);
}

/** Notes the answer to a confirmation. */
export function noteConfirmation(order: TestOrder, reply: Reply, now: Date): WrongAnswer | null {
  const { redemption, mayBeReleased } = order;
  if (isSuccess(reply)) {
    order.state = 'confirmed';
    return reply.body.status === 'confirmed' ? null : { expected: 'confirmed', found: reply.body.status };
  }
  if (reply.code === 'redemption_released') {
    const isOver = redemption?.heldUntil != null && redemption.heldUntil <= now;
    order.state = 'released';
    return isOver || mayBeReleased ? null : { expected: 'held until its time is over', found: 'released before' };
  }
  if (reply.status === 404) return { expected: 'the redemption', found: shown(reply) };
  if (isUncertain(reply)) order.mayBeConfirmed = true;
  return null;
}

/** Notes the answer to a release. */
export function noteRelease(order: TestOrder, reply: Reply): WrongAnswer | null {
  if (isSuccess(reply)) {
    order.state = 'released';
    return reply.body.status === 'released' ? null : { expected: 'released', found: reply.body.status };
  }
  if (reply.code === 'redemption_not_held' && (order.state === 'confirmed' || order.mayBeConfirmed)) {
    order.state = 'confirmed';
    return null;
  }
  if (reply.status === 404 || reply.status === 409) return { expected: 'released', found: shown(reply) };
  if (isUncertain(reply)) order.mayBeReleased = true;
  return null;
}

export interface Bounds {
  readonly atLeast: number;
  readonly atMost: number;
}

/** How many redemptions of the order still count once all holds are over: none or one. */
export function countingAtEnd({ state, body, mayBeConfirmed, mayBeReleased }: TestOrder): Bounds {
  if (state === 'confirmed') return { atLeast: mayBeReleased ? 0 : 1, atMost: 1 };
  const mayCount = state === 'held' ? mayBeConfirmed : state === 'unclear' && !body.hold;
  return { atLeast: 0, atMost: mayCount ? 1 : 0 };
}

/** What was taken off the order by campaigns that applied; their amounts include shipping. */
function partsOf(evaluation: Reply['body']): RedeemedPart[] {
  const { campaigns } = evaluation as engagementHttp.EvaluationBody;
  return campaigns
    .filter(({ applied }) => applied)
    .map(({ campaignId, code, amount }) => ({ campaignId, code, amount: amount.amount }));
}

/** Compares the sums of an evaluation with their parts. */
export function wrongSums(evaluation: Reply['body']): WrongAnswer | null {
  const { lines, campaigns, ...sums } = evaluation as engagementHttp.EvaluationBody;
  const [subtotal, discount, shipping, shippingDiscount, total] = [
    sums.subtotal.amount,
    sums.discount.amount,
    sums.shipping.amount,
    sums.shippingDiscount.amount,
    sums.total.amount,
  ];
  const sum = (parts: readonly http.Money[]) => parts.reduce((all, { amount }) => all + amount, 0);
  const expected = {
    subtotal: sum(lines.map((line) => line.subtotal)),
    discount: sum(lines.map((line) => line.discount)),
    total: subtotal - discount + shipping - shippingDiscount,
    given: sum(campaigns.map(({ amount }) => amount)),
  };
  const found = { subtotal, discount, total, given: discount + shippingDiscount };
  const isRight = JSON.stringify(expected) === JSON.stringify(found) && total >= 0;
  return isRight ? null : { expected: JSON.stringify(expected), found: JSON.stringify(found) };
}
