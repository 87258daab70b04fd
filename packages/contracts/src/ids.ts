import { createHash } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';
import { z } from 'zod';

/** What each identifier prefix names. A new kind of resource gets its line here. */
export const idPrefixes = {
  user: 'an account: retail, trade or administrator',
  sess: 'a session: one device that is logged in',
  addr: 'a postal address',
  wli: 'an item of a wishlist',
  cust: 'a saved recipient',
  prod: 'a product',
  cat: 'a category',
  ntf: 'an in-app notification',
  dlv: 'one message handed to an outside channel, such as a mail',
  camp: 'a campaign',
  inv: 'an invoice',
  exp: "an export of somebody's data",
  inc: 'an incident that the health service recorded',
  evt: 'an event',
} as const;

export type IdPrefix = keyof typeof idPrefixes;

/** A new TypeID: the prefix, an underscore and a UUIDv7 in base 32, so ids of a kind sort by time. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** Whether the text is a well-formed TypeID of that kind. */
export function isId(prefix: IdPrefix, text: string): boolean {
  try {
    return TypeID.fromString(text).getType() === prefix;
  } catch {
    return false;
  }
}

/** The same bytes always give the same id: for effects that must happen once however often they are tried. */
export function idFromUuid(prefix: IdPrefix, uuid: string): string {
  return TypeID.fromUUID(prefix, uuid).toString();
}

/**
 * The id of what `source` causes under that name: always the same one, so that an event delivered twice makes one thing.
 * Keeps the time inside `source`, so that it sorts with its neighbours.
 */
export function derivedId(prefix: IdPrefix, source: string, name: string): string {
  const uuid = TypeID.fromString(source).toUUID();
  const digest = createHash('sha256').update(`${prefix}\0${source}\0${name}`).digest('hex');
  return idFromUuid(prefix, `${uuid.slice(0, 14)}7${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`);
}

/** The zod schema of an id in a request body or an answer. */
export function idSchema(prefix: IdPrefix) {
  return z
    .string()
    .max(prefix.length + 27)
    .refine((text) => isId(prefix, text), { error: `must be an id of the form ${prefix}_…` })
    .meta({ description: `Identifies ${idPrefixes[prefix]}.`, examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`] });
}
