import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The value of the header `Payment-Signature` for a callback: `t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 of `t.body`.
 * The signature contains the time of sending, so each attempt needs a new one.
 */
export function signDemoCallback(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`;
}

const signatureForm = /^t=(\d{1,11}),v1=([0-9a-f]{64})$/;
const toleranceSeconds = 300;

/** Whether the header is a signature of the body by `signDemoCallback`, made at most five minutes ago. */
export function isSigned(secret: string, header: string, body: string, at: Date): boolean {
  const [, seconds = '', given = ''] = signatureForm.exec(header) ?? [];
  const isFresh = Math.abs(at.getTime() / 1000 - Number(seconds)) <= toleranceSeconds;
  return isSame(given, hmac(secret, `${seconds}.${body}`)) && isFresh;
}

/**
 * Whether the shop has made the address of this page: its last parameter `t` signs the whole path and query before it,
 * so that nobody can change them.
 */
export function isSignedPage(secret: string, address: string): boolean {
  const at = address.lastIndexOf('&t=');
  return at > 0 && isSame(address.slice(at + '&t='.length), hmac(secret, address.slice(0, at)));
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
