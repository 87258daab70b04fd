import { z } from 'zod';
import { keptFields, type Fields } from './kept-fields.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The part of a body that is stored: these fields, as JSON. Null if the bytes are not UTF-8 or not JSON. */
export function keepFields(body: Buffer, fields: Fields): string | null {
  const json = readJson(body);
  return json === undefined ? null : JSON.stringify(keptFields(json, fields));
}

/** Parses the stored part of a body; undefined if no part is stored. */
export function readKept(kept: string | null): unknown {
  return kept === null ? undefined : JSON.parse(kept);
}

/** An id or type that a provider gives: up to 200 visible ASCII characters. */
export const givenName = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/** An amount in the provider's units. The limit is the same as for amounts of this API. */
export const givenAmount = z.int().min(0).max(1_000_000_000_000);

/** The id of a payment or the number of an invoice of the shop; null if the provider gives none. */
export const givenTarget = givenName.nullish().transform((name) => name ?? null);

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}
