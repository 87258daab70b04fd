import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The value of the header `Payment-Signature` for a callback: `t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 of `t.body`.
 * The signature contains the time of sending, so each attempt needs a new one.
 */
export function signDemoCallback(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`;
}

/** The data in the address of a payment's page: the amount to pay, and the invoices to pay for. */
export interface PaymentLink {
  readonly paymentId: string;
  /** In minor units, written as digits. */
  readonly amount: string;
  readonly currency: string;
  /** The numbers of the invoices, separated by commas. */
  readonly purpose: string;
}

/**
 * The parameter `t` of the address of a payment's page. It signs the other data, so that nobody can change them. The
 * shop makes the same signature.
 */
export function signLink(secret: string, { paymentId, amount, currency, purpose }: PaymentLink): string {
  return hmac(secret, `${paymentId}.${amount}.${currency}.${purpose}`);
}

/**
 * Whether both texts are the same. The time needed does not depend on how much of the given text is right, so nobody
 * can guess the right text step by step.
 */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
