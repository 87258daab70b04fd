import type { AdminClient } from '../admin.ts';
import type { Client } from '../client.ts';
import type { TestDiscounts } from '../discounts/discounts.ts';
import type { TestOrder } from '../discounts/orders.ts';
import type { TestAnalytics } from '../analytics/analytics.ts';
import type { TestInvoices } from '../invoices/invoices.ts';
import type { Entry } from '../ledger.ts';
import type { MailReader } from '../mail-reader.ts';
import type { TestOrders } from '../orders/orders.ts';
import type { SentOrder } from '../orders/sent-order.ts';
import type { Random } from '../random.ts';

/** An account that a virtual user has registered, proved or not. */
export interface TestAccount {
  readonly email: string;
  readonly kind: 'retail' | 'trade';
  password: string;
  /** Empty until a response contains it. */
  id: string;
  /** The known state. After a lost response it may be `unclear`; such an account is not used any more. */
  state:
    | 'registered'
    | 'active'
    | 'applied'
    | 'submitted'
    | 'info-requested'
    | 'approved'
    | 'rejected'
    | 'erased'
    | 'unclear';
  /** Its registrations that wait for their code; after the proof of one, those that lost the email to it. */
  registrations: { readonly id: string; readonly password: string }[];
  businessName?: string;
  tokens?: { accessToken: string; refreshToken: string };
  /** The actions that must not be repeated for this account. */
  readonly done: Set<string>;
  /** The values that a field may have at the end: the last acknowledged one, and those whose response was lost. */
  readonly fields: Map<string, Set<string>>;
  /** The ids of its addresses. */
  readonly addresses: string[];
  /** The ids of the wishlist's items by product id. */
  readonly wishes: Map<string, string>;
  /** Its orders with discounts. */
  readonly orders: TestOrder[];
  /** The id of the recovery of a forgotten password. */
  recoveryId?: string;
  /** The id of the requested data export. */
  exportId?: string;
}

/** A product that a virtual user has created. */
export interface TestProduct {
  readonly id: string;
  /** The stock after all acknowledged changes. */
  stock: number;
  /** Stock changes whose response was lost. */
  readonly unclear: number[];
}

/** Makes calls one after the other. Several virtual users work in parallel. */
export interface VirtualUser {
  readonly name: string;
  readonly random: Random;
  readonly client: Client;
  readonly mails: MailReader;
  readonly accounts: TestAccount[];
  /** Shared by all virtual users. */
  readonly admin: AdminClient;
  /** Shared by all virtual users. */
  readonly products: TestProduct[];
  /** Shared by all virtual users; absent where the system may not know discounts. */
  readonly discounts: TestDiscounts | undefined;
  /** Shared by all virtual users; absent where the system may not know invoices. */
  readonly invoices: TestInvoices | undefined;
  /** Shared by all virtual users; absent where the system may know no orders. */
  readonly orders: TestOrders | undefined;
  /** Shared by all virtual users; absent where the system may know no reports. */
  readonly analytics: TestAnalytics | undefined;
  /** The orders that the administrator has redeemed for people without an account. */
  readonly guestOrders: TestOrder[];
  /** A new text at each call, and the same ones in each run with the same seed. */
  unique(what: string): string;
}

/** A kind of operation in the mix. */
export interface TestOperation {
  readonly name: string;
  /** How often it is chosen, relative to the others. */
  readonly weight: number;
  /**
   * It is chosen only if there is such an account, a product, such an order of those that have been answered, or a run with
   * discounts, with invoices, with orders or with reports.
   */
  readonly needs?: {
    readonly account?: (account: TestAccount) => boolean;
    readonly product?: true;
    readonly discounts?: true;
    readonly invoices?: true;
    readonly orders?: true | ((order: SentOrder) => boolean);
    readonly analytics?: true;
  };
  /** Makes the calls and records the promises of their responses in the ledger. */
  readonly run: (user: VirtualUser, entry: Entry, account: TestAccount, product: TestProduct) => Promise<void>;
}

/** Whether the account can make calls with its token. */
export const isLoggedIn = ({ state, tokens }: TestAccount): boolean => state === 'active' && tokens !== undefined;
