import type { Client, Reply } from '../client.ts';
import type { Entry } from '../ledger.ts';
import type { MailReader } from '../mail-reader.ts';
import type { Random } from '../random.ts';

/** An account that a virtual user has made. */
export interface Account {
  readonly email: string;
  readonly kind: 'retail' | 'trade';
  password: string;
  /** Empty until the API has told it. */
  id: string;
  /** What is known of it: an answer that was lost leaves it `unclear`, and it is left alone. */
  state: 'registered' | 'active' | 'applied' | 'approved' | 'rejected' | 'erased' | 'unclear';
  businessName?: string;
  tokens?: { accessToken: string; refreshToken: string };
  /** What was done to it that may be done once, or not again soon. */
  readonly done: Set<string>;
  /** The values that a field may have in the end: the last acknowledged one, and those whose answer was lost. */
  readonly fields: Map<string, Set<string>>;
  /** The ids of its addresses. */
  readonly addresses: string[];
  /** The ids of the wishlist's items, by their products. */
  readonly wishes: Map<string, string>;
  /** The id of the copy of their data that they asked for. */
  exportId?: string;
}

/** A product that somebody has made. */
export interface Product {
  readonly id: string;
  /** By all that was acknowledged. */
  stock: number;
  /** Stock changes that nobody knows the end of. */
  readonly unclear: number[];
}

/** Who makes calls, one after the other; several of them work side by side. */
export interface VirtualUser {
  readonly name: string;
  readonly random: Random;
  readonly client: Client;
  readonly mails: MailReader;
  readonly accounts: Account[];
  /** These are shared by all. */
  readonly admin: Admin;
  readonly products: Product[];
  /** A new one each time, the same in each run of a seed. */
  fresh(what: string): string;
}

export interface Admin {
  /** Calls as the administrator, logging in as needed. */
  call(method: string, path: string, call?: { body?: object; key?: string }): Promise<Reply>;
}

/** A kind of API call that the mix is made of. */
export interface Operation {
  readonly name: string;
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  /** What it is done with: it is chosen only where there is such an account, or a product. */
  readonly needs?: { readonly account?: (account: Account) => boolean; readonly product?: true };
  /** Makes the call and writes into the ledger what its answer promises. */
  readonly run: (user: VirtualUser, entry: Entry, account: Account, product: Product) => Promise<void>;
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** How many effects a call may have: just one when it was acknowledged; when nobody knows, one or none. */
export function effectsOf(reply: Reply): { atLeast: number; atMost: number } {
  if (isSuccess(reply)) return { atLeast: 1, atMost: 1 };
  return { atLeast: 0, atMost: reply.doubtful > 0 ? 1 : 0 };
}
