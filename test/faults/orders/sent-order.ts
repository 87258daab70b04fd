import type { Call, Reply } from '../client.ts';

/** An order that a virtual user has sent, and what the answers have said about it. */
export interface SentOrder {
  readonly kind: 'guest' | 'user' | 'on account';
  /** Where its mails go. */
  readonly email: string;
  /** Null until an answer says it. */
  id: string | null;
  /** Calls as its buyer. */
  ask(method: string, path: string, call?: Call): Promise<Reply>;
  /** Whether an answer says that all of it is reserved: it can be paid, or is placed. Until then it may be refused. */
  isReserved: boolean;
  /** In cents; known from the answer. */
  total: number;
  lines: readonly { readonly id: string; readonly quantity: number }[];
  /** `asked`: somebody has asked to cancel it and got no answer, or it may have ended with its last piece. */
  cancelled: 'no' | 'asked' | 'answered';
  /** The provider has taken all of its money. */
  isPaid: boolean;
  /** Whether an answer says that all of it is shipped. */
  isShipped: boolean;
  /** Whether an answer says that it was refused or cancelled, so that nobody can pay it. */
  isOver: boolean;
  /** The ids of its returns that the last announcement has answered and that were to come then. */
  announced: readonly string[];
  /** Those of them that nobody has received, as far as answers say. */
  awaited: readonly string[];
}

const recent = 60;

/** The last orders that were answered. */
export function recentlySent({ sent }: { readonly sent: readonly SentOrder[] }): readonly SentOrder[] {
  return sent.filter(({ id }) => id !== null).slice(-recent);
}

/** The ways in which the order may end, as far as its answers say. */
export function endsOf({ kind, isReserved, cancelled, isPaid }: SentOrder): readonly string[] {
  if (cancelled === 'answered') return ['cancelled'];
  const isOnAccount = kind === 'on account';
  // One that is on account is placed by being reserved, and is not cancelled then.
  const isSure = isOnAccount ? isReserved : isPaid && cancelled === 'no';
  if (isSure) return ['placed'];
  return [...(isPaid || isOnAccount ? ['placed'] : []), 'cancelled', ...(isReserved ? [] : ['refused'])];
}
