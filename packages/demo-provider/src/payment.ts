import type { Money } from '@storefront/money';

/** Money that was paid. A part of it, or all of it, may have been returned. */
export interface Capture {
  /** The provider's own id of this money. Every callback about it contains this id. */
  readonly reference: string;
  readonly amount: Money;
  /** The returned amount, in minor units. */
  readonly returned: number;
  readonly isDisputed: boolean;
}

/** A refund that the shop has requested, under the shop's own id. */
export interface Refund {
  readonly id: string;
  /** The money of which it is a part, or all. */
  readonly reference: string;
  readonly amount: Money;
}

/** A payment as the provider stores it. It is stored from its first action on. */
export interface Payment {
  readonly id: string;
  readonly captures: readonly Capture[];
  readonly failures: number;
  readonly refunds: readonly Refund[];
  /** Whether the shop has closed the payment, so that its page takes no money. */
  readonly isClosed: boolean;
}

/** A payment before its first action. */
export function newPayment(id: string): Payment {
  return { id, captures: [], failures: 0, refunds: [], isClosed: false };
}

export type Action =
  | { readonly kind: 'pay'; readonly amount: Money; readonly times: 1 | 2 }
  | { readonly kind: 'fail'; readonly amount: Money }
  | { readonly kind: 'close' }
  /**
   * `reference` says which money is returned; by default the first money that is not completely returned. `amount` is
   * by default everything that is left of this money. `id` is the shop's id of the refund: it is made once, however
   * often it is requested.
   */
  | { readonly kind: 'refund' | 'dispute'; readonly id?: string; readonly reference?: string; readonly amount?: Money };

export type CallbackType = 'payment.succeeded' | 'payment.failed' | 'payment.refunded' | 'payment.disputed';

/** The content of a callback, before it gets an id and a time. */
export interface Said {
  readonly type: CallbackType;
  readonly data: {
    readonly amount: Money;
    readonly providerReference: string;
    /** Of the refund or dispute. */
    readonly refundReference?: string;
  };
}

/** The action is not possible. The message is for people. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

/**
 * Returns the payment after an action, and the callbacks about the action, the oldest first. Throws ActionError if the
 * action is not possible.
 */
export function act(payment: Payment, action: Action, newReference: () => string): { payment: Payment; said: Said[] } {
  if (payment.isClosed && (action.kind === 'pay' || action.kind === 'fail'))
    throw new ActionError('The shop has closed this payment.');
  switch (action.kind) {
    case 'pay': {
      const captures = Array.from({ length: action.times }, () => ({
        reference: newReference(),
        amount: positive(action.amount),
        returned: 0,
        isDisputed: false,
      }));
      return {
        payment: { ...payment, captures: [...payment.captures, ...captures] },
        said: captures.map(({ reference, amount }) => say('payment.succeeded', amount, reference)),
      };
    }
    case 'fail':
      return {
        payment: { ...payment, failures: payment.failures + 1 },
        said: [say('payment.failed', action.amount, newReference())],
      };
    case 'close':
      return { payment: { ...payment, isClosed: true }, said: [] };
    case 'refund':
    case 'dispute':
      if (payment.refunds.some(({ id }) => id === action.id)) return { payment, said: [] };
      return giveBack(payment, action, newReference);
  }
}

/** The amount that was paid and not returned, in minor units. */
export function leftOf({ amount, returned }: Capture): number {
  return amount.amount - returned;
}

function giveBack(
  payment: Payment,
  action: Extract<Action, { kind: 'refund' | 'dispute' }>,
  newReference: () => string,
): { payment: Payment; said: Said[] } {
  const type = action.kind === 'refund' ? 'payment.refunded' : 'payment.disputed';
  const { id: refundId } = action;
  const say = (amount: Money, providerReference: string): Said => ({
    type,
    data: { amount, providerReference, refundReference: refundId ?? newReference() },
  });
  // For tests, a program may also return money that neither the shop nor the provider knows.
  if (payment.captures.length === 0 && action.reference === undefined && action.amount)
    return { payment, said: [say(positive(action.amount), newReference())] };

  const found = payment.captures.find((capture) =>
    action.reference === undefined ? leftOf(capture) > 0 : capture.reference === action.reference,
  );
  if (!found || leftOf(found) === 0) throw new ActionError('There is nothing that could go back.');
  const amount = positive(action.amount ?? { ...found.amount, amount: leftOf(found) });
  if (amount.currency !== found.amount.currency) throw new ActionError(`It was paid in ${found.amount.currency}.`);
  if (amount.amount > leftOf(found)) throw new ActionError('That is more than what is left of this money.');
  const next: Capture = {
    ...found,
    returned: found.returned + amount.amount,
    isDisputed: found.isDisputed || action.kind === 'dispute',
  };
  return {
    payment: {
      ...payment,
      captures: payment.captures.map((capture) => (capture === found ? next : capture)),
      refunds:
        refundId === undefined
          ? payment.refunds
          : [...payment.refunds, { id: refundId, reference: found.reference, amount }],
    },
    said: [say(amount, found.reference)],
  };
}

function say(type: CallbackType, amount: Money, providerReference: string): Said {
  return { type, data: { amount, providerReference } };
}

function positive(amount: Money): Money {
  if (amount.amount > 0) return amount;
  throw new ActionError('The amount must be more than zero.');
}
