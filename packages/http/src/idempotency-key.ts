import type { FastifyRequest } from 'fastify';

/**
 * An `Idempotency-Key` as it may be sent: 1 to 255 visible ASCII characters, or those in quotes, with `\\` before a
 * quote and a backslash.
 */
export const idempotencyKeyPattern = String.raw`^(?:[\x21\x23-\x7e][\x21-\x7e]{0,254}|"(?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255}")$`;
const wellFormed = new RegExp(idempotencyKeyPattern);

/**
 * The `Idempotency-Key` of a request; undefined where it has none, null where it is malformed. A key in quotes, which is how the
 * draft of its standard writes it (a string of RFC 9651), is the same as without them.
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  if (typeof sent !== 'string' || !wellFormed.test(sent)) return null;
  return sent.startsWith('"') ? sent.slice(1, -1).replaceAll(/\\(.)/g, '$1') : sent;
}
