import { createHash } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';
import { z } from 'zod';

/** The prefixes of ids, and what each identifies. To add a new kind of resource, add a line here. */
export const idPrefixes = {
  user: 'an account: retail, trade or staff',
  reg: 'a registration that waits for its code',
  rec: 'a request for a new password',
  sess: 'a session: one device that is logged in',
  pkey: 'a passkey',
  apit: 'an API token of a program',
  emch: 'a change of an email address that waits for its code',
  addr: 'a postal address',
  wli: 'an item of a wishlist',
  cust: 'a saved recipient',
  prod: 'a product',
  img: 'an uploaded picture of a product',
  var: 'a variant of a product',
  cat: 'a category',
  ntf: 'an in-app notification',
  dlv: 'one message handed to an outside channel, such as a mail',
  camp: 'a campaign',
  red: 'a redemption of discounts',
  anc: 'an announcement of a campaign',
  cart: 'a cart',
  ord: 'an order',
  shpm: 'a shipment of an order',
  ret: 'a return of pieces of an order',
  och: 'a part of an order that is cancelled, or a refund by the shop',
  shopt: 'a shipping option',
  inv: 'an invoice',
  cn: 'a credit note',
  pay: 'a payment',
  rfnd: 'a refund of an order',
  cbk: 'a callback of a payment provider',
  exp: 'an export of the data of a user',
  inc: 'an incident recorded by the health service',
  evt: 'an event',
  aud: 'an entry of the audit log',
  imp: 'an import of products',
} as const;

export type IdPrefix = keyof typeof idPrefixes;

/** Makes a new TypeID: the prefix, an underscore and a UUIDv7 in base 32. Ids with the same prefix sort by time. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

// A UUID in base 32, whose digits leave out i, l, o and u. The first digit is at most 7, because a UUID has only 128
// bits.
const suffix = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const patterns = new Map(Object.keys(idPrefixes).map((prefix) => [prefix, `^${prefix}_${suffix}$`]));
const matchers = new Map([...patterns].map(([prefix, pattern]) => [prefix, new RegExp(pattern)]));

/** The patterns of all kinds of ids, as `idSchema` uses them. No pattern contains a character that JSON escapes. */
export const idPatterns: ReadonlySet<string> = new Set(patterns.values());

/**
 * Whether the text is a well-formed TypeID with this prefix. The id is not decoded, because one cart may contain up to
 * a hundred ids.
 */
export function isId(prefix: IdPrefix, text: string): boolean {
  return matchers.get(prefix)?.test(text) ?? false;
}

/** Makes an id from a UUID. The same UUID always gives the same id, so a repeated request creates nothing twice. */
export function idFromUuid(prefix: IdPrefix, uuid: string): string {
  return TypeID.fromUUID(prefix, uuid).toString();
}

/** Makes an id of 16 bytes, written as 32 hexadecimal digits, such as the beginning of a digest. */
export function idFromHex(prefix: IdPrefix, digits: string): string {
  return idFromUuid(prefix, digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

/**
 * Makes the id of something that `source` causes; `source` is an id, and `name` says what is caused. The same arguments
 * always give the same id, so an event that is delivered twice creates only one thing. The new id contains the time of
 * `source`, so both sort alike.
 */
export function derivedId(prefix: IdPrefix, source: string, name: string): string {
  const uuid = TypeID.fromString(source).toUUID();
  const digest = createHash('sha256').update(`${prefix}\0${source}\0${name}`).digest('hex');
  return idFromUuid(prefix, `${uuid.slice(0, 14)}7${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`);
}

/**
 * Returns the id of the only variant of a product without options: the id of the product with another prefix. A cart
 * that names it stays right when the product gets options, since the product then becomes the first variant.
 */
export function ownVariantId(productId: string): string {
  return `var_${productId.slice('prod_'.length)}`;
}

/** The schema of an id with this prefix. */
export function idSchema(prefix: IdPrefix) {
  return z
    .string()
    .max(prefix.length + 27)
    .refine((text) => isId(prefix, text), { error: `must be an id of the form ${prefix}_…` })
    .meta({
      description: `Identifies ${idPrefixes[prefix]}.`,
      pattern: patterns.get(prefix),
      examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`],
    });
}
