import type { Money } from '@storefront/money';

/** Money that was paid. A part of it, or all, may have gone back. */
export interface Capture {
  /** The provider's own name for it, in every callback about it. */
  readonly reference: string;
  readonly amount: Money;
  /** What went back, in minor units. */
  readonly returned: number;
  readonly isDisputed: boolean;
}

/** A payment as the provider knows it, from the first action on. */
export interface Payment {
  readonly id: string;
  readonly captures: readonly Capture[];
  readonly failures: number;
}

export type Action =
  | { readonly kind: 'pay'; readonly amount: Money; readonly times: 1 | 2 }
  | { readonly kind: 'fail'; readonly amount: Money }
  /** Without a reference: of the first money that it can be of. Without an amount: all that is left of it. */
  | { readonly kind: 'refund' | 'dispute'; readonly reference?: string; readonly amount?: Money };

export type CallbackType = 'payment.succeeded' | 'payment.failed' | 'payment.refunded' | 'payment.disputed';

/** What a callback says, before it has an id and a time. */
export interface Said {
  readonly type: CallbackType;
  readonly data: { readonly amount: Money; readonly providerReference: string };
}

/** The action can't be. The message is for people. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

/** What an action makes of a payment, and what is said about it, oldest first. Throws ActionError. */
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

/** What is left of money that was paid, in minor units. */
export function leftOf({ amount, returned }: Capture): number {
  return amount.amount - returned;
}

function giveBack(
  payment: Payment,
  action: Extract<Action, { kind: 'refund' | 'dispute' }>,
  newReference: () => string,
): { payment: Payment; said: Said[] } {
  const type = action.kind === 'refund' ? 'payment.refunded' : 'payment.disputed';
  // Programs may try what the shop does about money of which neither of both knows.
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
