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

/** A payment as the provider stores it. It is stored from its first action on. */
export interface Payment {
  readonly id: string;
  readonly captures: readonly Capture[];
  readonly failures: number;
}

export type Action =
  | { readonly kind: 'pay'; readonly amount: Money; readonly times: 1 | 2 }
  | { readonly kind: 'fail'; readonly amount: Money }
  /**
   * `reference` says which money is returned; by default the first money that is not completely returned. `amount` is
   * by default everything that is left of this money.
   */
  | { readonly kind: 'refund' | 'dispute'; readonly reference?: string; readonly amount?: Money };

export type CallbackType = 'payment.succeeded' | 'payment.failed' | 'payment.refunded' | 'payment.disputed';

/** The content of a callback, before it gets an id and a time. */
export interface Said {
  readonly type: CallbackType;
  readonly data: { readonly amount: Money; readonly providerReference: string };
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
    case 'refund':
    case 'dispute':
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
  // For tests, a program may also return money that neither the shop nor the provider knows.
  if (payment.captures.length === 0 && action.reference === undefined && action.amount)
    return { payment, said: [say(type, positive(action.amount), newReference())] };

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
    payment: { ...payment, captures: payment.captures.map((capture) => (capture === found ? next : capture)) },
    said: [say(type, amount, found.reference)],
  };
}

function say(type: CallbackType, amount: Money, providerReference: string): Said {
  return { type, data: { amount, providerReference } };
}

function positive(amount: Money): Money {
  if (amount.amount > 0) return amount;
  throw new ActionError('The amount must be more than zero.');
}
