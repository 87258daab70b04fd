import type { ClosingReason, Order, SomePieces } from './order.ts';

type Status = Order['status'];

/** What happens to an order: an answer of another service as the order understands it, a request, or a time-out. */
export type Happening =
  /** The buyer has sent it. */
  | 'sent'
  /** The buyer has sent it, to an address or a recipient that account knows. */
  | 'sent-to-saved'
  /** account has said where that is. */
  | 'recipient-found'
  /** catalog has reserved all lines. */
  | 'stock-reserved'
  /**
   * account knows no such address, catalog can't reserve all lines, engagement can hold nothing, or the total is not the one
   * that the buyer has seen.
   */
  | 'refused'
  /** The discounts are held, and the total is as expected. */
  | 'priced'
  /** The same, where nothing is left to be paid. */
  | 'nothing-to-pay'
  /** billing has opened a page for the present attempt to pay. */
  | 'payment-opened'
  /** billing has no page or no credit for the present attempt. */
  | 'payment-refused'
  /** billing counts the total as owed by the trade account. */
  | 'credit-reserved'
  /** All of the total has come. */
  | 'paid'
  /** Money has moved, and the total has not come. */
  | 'money-moved'
  /** The provider reports that an attempt to pay has failed. */
  | 'payment-failed'
  /** Nothing can be paid any more, and the total has not come. */
  | 'payment-closed'
  /** The buyer wants another page to pay on. */
  | 'pay'
  /** The buyer or the shop cancels it. */
  | 'cancel'
  /** A part of it is cancelled. */
  | 'reduce'
  /** A part of what it has cost is refunded. */
  | 'refund'
  /** Pieces have left the shop. */
  | 'ship'
  /** All that was shipped has arrived. */
  | 'deliver'
  /** The buyer sends shipped pieces back. */
  | 'request-return'
  /** They have come. */
  | 'receive-return'
  /** The buyer keeps them. */
  | 'withdraw-return'
  /** Staff have changed what they have noted about it. */
  | 'note'
  /** Staff have changed its address. */
  | 'readdress'
  /** A mail about it is sent once more. */
  | 'mail'
  /** A user makes the order of a guest their own. */
  | 'claim'
  /** The account of the buyer is erased. */
  | 'erase'
  /** Nobody has answered for a while. */
  | 'unanswered'
  /** Nobody has answered for as long as the buyer can be asked to wait. */
  | 'given-up'
  /** The buyer has not paid in time. */
  | 'unpaid';

/** Something that happens to an order. */
export interface Step {
  readonly happening: Happening;
  readonly by: 'buyer' | 'shop' | 'system';
  /** Why it is refused. */
  readonly refusal?: NonNullable<Order['refusal']>;
  /** Why it is closed or cancelled. */
  readonly reason?: ClosingReason;
  /** What it is about; the whole order where it is left out. */
  readonly lines?: SomePieces;
  /** What goes back to the buyer because of it. */
  readonly amount?: number;
  /** What staff have written about it. */
  readonly note?: string | undefined;
  /** Which mail is sent once more. */
  readonly mail?: 'confirmation' | 'last';
  /** The id of the cancelled part, the refund, the return, or the mail that is sent once more. */
  readonly changeId?: string;
}

/** What an order has others do. Each becomes events that are saved with the order. */
export type Command =
  /** Has statistics count that a checkout began. */
  | 'begin-checkout'
  | 'request-recipient'
  | 'reserve-stock'
  | 'request-discount'
  | 'request-payment'
  | 'close-payment'
  | 'place'
  /** Has everything given back that is reserved, held or paid. */
  | 'give-back'
  /** Has the pieces that are cancelled given back, and what was paid beyond what the shop may keep. */
  | 'give-part-back'
  /** Has what was shipped taken out of the stock. */
  | 'take-stock'
  /** Has what has come back counted. */
  | 'take-back'
  /** Has statistics count that all of it arrived. */
  | 'note-delivery'
  | 'tell-buyer'
  /** Tells the buyer once more what the step names. */
  | 'tell-again'
  /** Asks once more what the present step waits for. */
  | 'ask-again';

interface Transition {
  readonly to: Status;
  readonly commands: readonly Command[];
}

const to = (status: Status, ...commands: Command[]): Transition => ({ to: status, commands });

const always = { note: 'same' } as const;
const noteMoney = { ...always, 'money-moved': 'same' } as const;

/**
 * How an order goes: for each status what may happen, and what comes of it. `same` keeps the status and asks nobody.
 * All else is refused if it is a request, and ignored if it is an event: it has come twice, or too late.
 */
export const transitions: Readonly<Record<Status, Readonly<Partial<Record<Happening, Transition | 'same'>>>>> = {
  pending: {
    ...always,
    sent: to('pending', 'reserve-stock', 'begin-checkout'),
    'sent-to-saved': to('pending', 'request-recipient', 'begin-checkout'),
    'recipient-found': to('pending', 'reserve-stock'),
    'stock-reserved': to('pending', 'request-discount'),
    priced: to('awaiting-payment', 'request-payment'),
    'nothing-to-pay': to('placed', 'place', 'tell-buyer'),
    refused: to('refused', 'give-back'),
    unanswered: to('pending', 'ask-again'),
    'given-up': to('refused', 'give-back'),
    cancel: to('cancelled', 'give-back'),
    erase: to('cancelled', 'give-back'),
  },
  'awaiting-payment': {
    ...noteMoney,
    'payment-opened': 'same',
    readdress: to('awaiting-payment'),
    'payment-failed': to('awaiting-payment', 'tell-buyer'),
    paid: to('placed', 'place', 'tell-buyer'),
    'credit-reserved': to('placed', 'place', 'tell-buyer'),
    'payment-refused': to('refused', 'give-back'),
    pay: to('awaiting-payment', 'request-payment'),
    unanswered: to('awaiting-payment', 'ask-again'),
    unpaid: to('closing', 'close-payment'),
    cancel: to('closing', 'close-payment'),
    erase: to('closing', 'close-payment'),
  },
  // Stock, discounts and credit stay reserved until it is known what was paid: money that comes late still places the
  // order, unless somebody has ended it.
  closing: {
    ...noteMoney,
    'payment-opened': 'same',
    paid: to('placed', 'place', 'tell-buyer'),
    'payment-closed': to('cancelled', 'give-back'),
    // A page that is being closed because nobody paid: from now on money that still comes goes back.
    cancel: to('closing', 'close-payment'),
    erase: to('closing', 'close-payment'),
    unanswered: to('closing', 'ask-again'),
  },
  placed: {
    ...noteMoney,
    cancel: to('cancelled', 'give-back', 'tell-buyer'),
    ship: to('placed', 'take-stock', 'tell-buyer'),
    deliver: to('placed', 'note-delivery', 'tell-buyer'),
    readdress: to('placed'),
    mail: to('placed', 'tell-again'),
    claim: to('placed'),
    reduce: to('placed', 'give-part-back', 'tell-buyer'),
    refund: to('placed', 'give-part-back', 'tell-buyer'),
    'request-return': to('placed'),
    'receive-return': to('placed', 'take-back', 'tell-buyer'),
    'withdraw-return': to('placed'),
  },
  // Money that still comes is refunded by billing.
  cancelled: { ...noteMoney, mail: to('cancelled', 'tell-again'), claim: to('cancelled') },
  refused: noteMoney,
};

/** What the timeline says of steps that it does not name by the next status. */
export const entryNames: Readonly<Partial<Record<Happening, string>>> = {
  sent: 'sent',
  'sent-to-saved': 'sent',
  ship: 'shipped',
  deliver: 'delivered',
  reduce: 'part-cancelled',
  refund: 'refunded',
  'request-return': 'return-requested',
  'receive-return': 'returned',
  'withdraw-return': 'return-withdrawn',
  readdress: 'address-changed',
  mail: 'mailed-again',
  claim: 'claimed',
};
