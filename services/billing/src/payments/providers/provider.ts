import type { ProviderFact } from '../domain/provider-fact.ts';

/** The headers of a request, by lower-case name. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** `stale`: the signature is right, and was made too long ago or in the future. */
export type Verdict = 'ok' | 'bad_signature' | 'stale';

/** The content of a callback. `ignored`: it changes nothing here. `malformed`: the provider does not send such a body by its own rules. */
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
  /** The numbers of the invoices. */
  readonly numbers: readonly string[];
}

/** A payment provider, as far as billing deals with it. It holds its own secrets. */
export interface Provider {
  /** As it stands in the path of its callbacks. */
  readonly name: string;
  /** Whether the provider has signed these bytes, and just now. Nothing of the body has been looked at before. */
  verify(headers: Headers, body: Buffer, now: Date): Verdict;
  /** The part of a signed body that is stored: the fields that `translate` reads, as JSON. null where it is no JSON. It never throws. */
  keep(body: Buffer): string | null;
  /** Reads the stored part of a body. It never throws. */
  translate(kept: string | null): Translation;
  /** The address of the page where something is paid; only of a provider that has such a page. */
  readonly pageOf?: (toPay: ToPay) => string;
}
