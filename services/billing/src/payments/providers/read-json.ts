import { z } from 'zod';
import { keptFields, type Fields } from './kept-fields.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The part of a body that is stored: these fields, as JSON. null where the bytes are no UTF-8 or no JSON. */
export function keepFields(body: Buffer, fields: Fields): string | null {
  const json = readJson(body);
  return json === undefined ? null : JSON.stringify(keptFields(json, fields));
}

/** The stored part of a body; undefined where none is stored. */
export function readKept(kept: string | null): unknown {
  return kept === null ? undefined : JSON.parse(kept);
}

/** A name that a provider gives: visible ASCII. */
export const givenName = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/** In units of the provider; as large as any amount of this API. */
export const givenAmount = z.int().min(0).max(1_000_000_000_000);

/** The name of a payment or an invoice of the shop; null where the provider gives none. */
export const givenTarget = givenName.nullish().transform((name) => name ?? null);

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}
