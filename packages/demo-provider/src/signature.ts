import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The value of the header `Payment-Signature` for a callback: `t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 of `t.body`. It is of
 * the moment of sending, so each try is signed anew.
 */
export function signDemoCallback(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`;
}

/** What the address of a payment's page says: what is to be paid, and what for. */
export interface PaymentLink {
  readonly paymentId: string;
  /** In minor units, as digits. */
  readonly amount: string;
  readonly currency: string;
  /** The numbers of the invoices, separated by commas. */
  readonly purpose: string;
}

/** The part `t` of such an address, by which nobody can alter the rest. The shop makes it in the same way. */
export function signLink(secret: string, { paymentId, amount, currency, purpose }: PaymentLink): string {
  return hmac(secret, `${paymentId}.${amount}.${currency}.${purpose}`);
}

/** Whether both are the same text; takes the same time for each given text. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
