import type { Refund } from '../domain/payment.ts';
import type { ProviderFact } from '../domain/provider-fact.ts';

/** The headers of a request, by lower-case name. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The result of checking a signature. `stale`: the signature is right, but was made too long ago or in the future. */
export type Verdict = 'ok' | 'bad_signature' | 'stale';

/**
 * The content of a callback. `ignored`: the callback changes nothing in billing. `malformed`: a body that the provider,
 * by its own rules, never sends.
 */
export type Translation =
  | { readonly kind: 'fact'; readonly eventId: string; readonly type: string; readonly fact: ProviderFact }
  | { readonly kind: 'ignored'; readonly eventId: string; readonly type: string }
  | { readonly kind: 'malformed' };

/** A payment to be made at the page of a provider. */
interface ToPay {
  readonly paymentId: string;
  /** In minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** The numbers of the invoices to pay. */
  readonly numbers: readonly string[];
  readonly returnUrl: string | null;
}

/** The page on which an order is paid. */
interface Page {
  /** The provider opens one page under it, however often it is requested. */
  readonly paymentId: string;
  readonly orderId: string;
  /** In minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly returnUrl: string | null;
  /** The provider's own id of the page, as it was answered; null if it has none or was not answered. */
  readonly reference: string | null;
}

/** A refund of one transfer. */
interface RefundToMake {
  /** The provider makes one refund under it, however often it is requested. */
  readonly id: string;
  readonly paymentId: string;
  /** The provider's id of the transfer. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
}

/** The provider's final answer is no. */
interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
}

/**
 * Pages of a provider on which orders are paid. Each call may be made again, also long after the first one. A call throws
 * if the provider gives no answer, or none that is final.
 */
export interface OrderPages {
  open(
    page: Page,
  ): Promise<{ readonly kind: 'opened'; readonly redirectUrl: string; readonly reference: string | null } | Refused>;
  /** The page takes no money any more after this, whether it was opened or not. */
  close(page: Page): Promise<{ readonly kind: 'closed' }>;
  /** `refund` is as the provider states it in its callback too. */
  refund(refund: RefundToMake): Promise<{ readonly kind: 'refunded'; readonly refund: Refund } | Refused>;
}

/** A payment provider, as billing uses it. It holds its own secrets. */
export interface Provider {
  /** The name as in the path of the provider's callbacks. */
  readonly name: string;
  /** Checks whether the provider has signed these bytes just now. The body is not parsed before this check. */
  verify(headers: Headers, body: Buffer, now: Date): Verdict;
  /**
   * The part of a signed body that is stored: the fields that `translate` reads, as JSON. Null if the body is not JSON.
   * Never throws.
   */
  keep(body: Buffer): string | null;
  /** Reads the stored part of a body. Never throws. */
  translate(kept: string | null): Translation;
  /** The address of the page on which invoices are paid; missing for a provider without such a page. */
  readonly pageOf?: (toPay: ToPay) => string;
  /** Missing for a provider on whose pages no orders can be paid. */
  readonly orderPages?: OrderPages;
}
