import { z } from 'zod';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON of a body; undefined where the bytes are no UTF-8 or no JSON. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** A name that a provider gives: visible ASCII. */
export const givenName = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/** In minor units; as large as any amount of this API. */
export const givenAmount = z.int().min(0).max(1_000_000_000_000);

/** What was to name a payment or an invoice here; null where nothing does. */
export const givenTarget = givenName.nullish().transform((name) => name ?? null);
