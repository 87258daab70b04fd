import type { FastifyRequest } from 'fastify';

/**
 * The allowed form of an `Idempotency-Key`: 1 to 255 visible ASCII characters, with or without quotes around them.
 * Within quotes, each quote and each backslash needs a backslash before it.
 */
export const idempotencyKeyPattern = String.raw`^(?:[\x21\x23-\x7e][\x21-\x7e]{0,254}|"(?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255}")$`;
const wellFormed = new RegExp(idempotencyKeyPattern);

/**
 * Returns the `Idempotency-Key` of a request; undefined without a key, null if the key is malformed. A key in quotes,
 * which is the form in the draft standard (a string of RFC 9651), equals the key without quotes.
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  if (typeof sent !== 'string' || !wellFormed.test(sent)) return null;
  return sent.startsWith('"') ? sent.slice(1, -1).replaceAll(/\\(.)/g, '$1') : sent;
}
