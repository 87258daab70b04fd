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
  /** The address of the page on which a payment is made; missing for a provider without such a page. */
  readonly pageOf?: (toPay: ToPay) => string;
}
