import type { billingEvents, controlChanges, identityEvents, Locale } from '@storefront/contracts';
import type { z } from 'zod';
import type { OptInCategory } from '../preferences.ts';

/** The words of a mail, and of the notification about the same matter, which has the subject as its title. */
export interface Words {
  readonly subject: string;
  /** The headline of the mail, where it is not the subject. */
  readonly headline?: string;
  /** The paragraphs before the main thing of the mail: a code, a reason, figures. The mailbox shows the first one. */
  readonly opening: readonly string[];
  /** The paragraphs between the main thing and the button. */
  readonly middle?: readonly string[];
  /** What the button does. The template knows where it leads. */
  readonly button?: string;
  /** The paragraphs after the button. */
  readonly closing?: readonly string[];
  /** The text of the notification, where it is not the first paragraph. */
  readonly notification?: string;
}

/** The words of a notification for all administrators. */
export interface NotificationWords {
  readonly title: string;
  readonly body: string;
}

/** The name by which the shop's mails call it. */
interface InShop {
  readonly shop: string;
}

/** A mail with a code. Null where the code is long: then it is not in the subject. */
/** About an export or an erasure of the reader's data. */
interface AboutData extends InShop {
  /** An administrator has requested it, not the reader. */
  readonly byStaff: boolean;
}

interface CodeWords extends InShop {
  readonly digits: string | null;
  readonly until: string;
}

/** By what a reader recognizes a registration. */
interface RegistrationWords extends CodeWords {
  readonly registeredAs: string | null;
  readonly registeredAt: string;
}

interface InvoiceWords {
  readonly number: string;
  readonly dueOn: string;
  readonly total: string;
  /** What is still owed, and null where nothing is. */
  readonly owed: string | null;
}

interface PaymentWords {
  readonly amount: string;
  /** The invoices that it paid, or that are owed again: at most five, and how many more there are. */
  readonly invoices: { readonly named: readonly string[]; readonly more: number };
  /** What became credit of the account or was taken from it; null where nothing was. */
  readonly credit: string | null;
}

/** An order: its number, and null where it was never placed. */
interface OrderWords extends InShop {
  readonly number: string | null;
  readonly total: string;
  /** What goes back to the buyer; null where nothing does. */
  readonly refund: string | null;
  readonly payment: 'card' | 'invoice' | 'none';
  /** Whether the button opens the order without a login. */
  readonly isOpen: boolean;
}

interface Credit {
  readonly limit: string | null;
  readonly outstanding: string;
}

type FactorChange = z.infer<typeof identityEvents.secondFactorChanged.data>['change'];
type Undoable = (typeof controlChanges)[number];
type NotInvoiced = z.infer<typeof billingEvents.orderNotInvoiced.data>['reason'];

/** What the words of each mail are made of: texts and amounts that are already written for the reader. */
export interface WordsInput {
  'verification-code': RegistrationWords;
  'trade-application-received': RegistrationWords;
  'password-reset-code': InShop & {
    readonly digits: string | null;
    readonly hasLink: boolean;
    readonly digitsUntil: string;
    readonly linkUntil: string;
  };
  'email-change-code': CodeWords;
  'email-change-notice': InShop & { readonly until: string };
  'second-factor-notice': { readonly change: FactorChange; readonly until: string };
  'password-notice': InShop & { readonly until: string };
  welcome: InShop;
  'registration-attempted': InShop & { readonly attempted: 'retail' | 'trade' };
  'password-changed': InShop & { readonly how: 'change' | 'reset'; readonly factorsDropped: boolean };
  'login-throttled': InShop & { readonly failures: number };
  'staff-changed': InShop & Pick<z.infer<typeof identityEvents.staffChanged.data>, 'change' | 'role'>;
  'second-factor-changed': { readonly change: FactorChange; readonly codesLeft: number };
  'second-factor-guessed': { readonly tries: number };
  'email-change-attempted': InShop;
  'email-changed': InShop;
  'changes-reverted': InShop;
  'trade-account-submitted': { readonly businessName: string };
  'trade-account-approved': InShop & { readonly businessName: string };
  'trade-account-rejected': { readonly businessName: string };
  'trade-account-info-requested': { readonly businessName: string };
  'trade-account-suspended': { readonly businessName: string };
  'trade-account-reinstated': { readonly businessName: string };
  'wishlist-alert': {
    readonly kind: 'price-drop' | 'back-in-stock';
    readonly product: string;
    readonly now: string;
    readonly was: string | null;
  };
  'cart-left': InShop & {
    /** What is in the cart: the first thing, and how many more there are. */
    readonly first: string;
    readonly more: number;
  };
  'order-confirmed': OrderWords;
  'order-payment-failed': OrderWords;
  'order-cancelled': OrderWords;
  'order-shipped': OrderWords;
  'order-delivered': OrderWords;
  'order-reduced': OrderWords;
  'order-refunded': OrderWords;
  'order-returned': OrderWords;
  'invoice-issued': InvoiceWords & {
    readonly paidByCredit: string | null;
    /** It was paid with its order. */
    readonly isPrepaid: boolean;
  };
  'invoice-reminded': InvoiceWords & { readonly days: -3 | 0 | 7 | 14 };
  'invoice-overdue': InvoiceWords;
  'invoice-paid': InvoiceWords;
  'invoice-voided': InvoiceWords;
  'credit-note-issued': InvoiceWords & { readonly creditNote: string; readonly credited: string };
  'payment-received': PaymentWords;
  'payment-refunded': PaymentWords & { readonly kind: 'refund' | 'dispute' };
  'credit-warning': Credit & { readonly limit: string };
  'credit-exceeded': Credit & { readonly orderRef: string; readonly total: string; readonly reason: 'limit' | 'hold' };
  'user-export-ready': AboutData;
  'account-erased': AboutData;
}

/** Why somebody gets a mail, which its last lines say. */
export type Because =
  | 'address-entered'
  | 'account'
  | 'trade-account'
  | 'wishlist'
  | 'order'
  | OptInCategory
  | 'erased'
  | 'sent-by-shop';

/**
 * A language of mails and notifications: all of its sentences. To add one, write a file such as `en.ts`, and name it in
 * `languages.ts` and in `locale` of the contracts.
 */
export interface Language {
  readonly locale: Locale;
  readonly formats: {
    /** The language tag by which amounts are written. */
    readonly money: string;
    /** The language tag by which days and times are written. */
    readonly dates: string;
    /** Puts a time of day and a day together. */
    readonly at: (clock: string, day: string) => string;
  };
  /** Null where the first name does not look like a name. */
  readonly greeting: (firstName: string | null) => string;
  readonly mails: { readonly [Name in keyof WordsInput]: (input: WordsInput[Name]) => Words };
  /** The changes of an account that were undone. */
  readonly undone: Readonly<Record<Undoable, string>>;
  /** What stands before the reason that staff wrote for the reader. */
  readonly quoteLabel: string;
  /** The names of figures of an invoice or an order. */
  readonly figures: Readonly<
    Record<
      | 'invoice'
      | 'creditNote'
      | 'total'
      | 'owed'
      | 'dueOn'
      | 'reference'
      | 'orderRef'
      | 'bank'
      | 'paymentReference'
      | 'creditLimit'
      | 'outstanding'
      | 'subtotal'
      | 'discount'
      | 'shipping'
      | 'tax'
      | 'taxIncluded'
      | 'payment'
      | 'carrier'
      | 'trackingNumber',
      string
    >
  >;
  /** The link to where a parcel can be followed. */
  readonly followParcel: string;
  /** How an order is paid. */
  readonly payments: Readonly<Record<OrderWords['payment'], string>>;
  /** The subject of an administrator's mail without one. */
  readonly noSubject: (shop: string) => string;
  readonly footer: {
    readonly because: (because: Because, shop: string) => string;
    readonly choose: string;
    readonly unsubscribe: string;
  };
  /** The notifications that all administrators get. */
  readonly toAdministrators: {
    readonly tradeAccountWaiting: (businessName: string) => NotificationWords;
    readonly discountRetaken: (input: {
      readonly orderRef: string;
      readonly amount: string;
      readonly campaigns: readonly string[];
    }) => NotificationWords;
    readonly stockLow: (input: {
      readonly name: string;
      /** What tells the variant from others, such as `M, blue`; empty for a product without variants. */
      readonly variant: string;
      readonly sku: string;
      readonly stock: number;
    }) => NotificationWords;
    readonly paymentWentBack: (input: {
      readonly amount: string;
      readonly provider: string;
      readonly kind: 'refund' | 'dispute';
    }) => NotificationWords;
    readonly paymentUnallocated: (input: {
      readonly amount: string;
      readonly provider: string;
      readonly reason: string;
    }) => NotificationWords;
    readonly orderBeyondCredit: (input: WordsInput['credit-exceeded']) => NotificationWords;
    readonly orderNotInvoiced: (input: {
      readonly orderRef: string;
      readonly reason: NotInvoiced;
    }) => NotificationWords;
  };
  /** The pages where one click ends mails of a category. */
  readonly unsubscribing: {
    readonly title: (shop: string) => string;
    readonly question: (category: OptInCategory, shop: string) => string;
    readonly button: string;
    readonly done: readonly string[];
  };
}
