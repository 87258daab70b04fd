import { bodyField, invalidFields, scopes, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** An API token of a program. It belongs to the shop, so it stays when the administrator who made it leaves. */
export const storedApiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** SHA-256 of the token. The token has 256 random bits, so its hash can't be guessed back. */
  hash: z.string(),
  /** The id of the administrator who made it. */
  createdBy: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
  /** To the minute or so. */
  lastUsedAt: z.date().nullable(),
});
export type ApiToken = StateOf<typeof storedApiToken>;

const dayMs = 24 * 60 * 60 * 1000;
const usualDays = 90;
const mostDays = 366;

/** A new API token. Throws `validation_failed` for one that would expire at once, or later than in 366 days. */
export function newApiToken(
  wanted: Pick<ApiToken, 'id' | 'name' | 'scopes' | 'hash' | 'createdBy'> & { readonly expiresAt?: Date | undefined },
  now: Date,
): ApiToken {
  const { expiresAt = new Date(now.getTime() + usualDays * dayMs) } = wanted;
  const days = (expiresAt.getTime() - now.getTime()) / dayMs;
  if (days <= 0 || days > mostDays)
    throw invalidFields([bodyField('/expiresAt', 'out_of_range', `must be within the next ${mostDays} days`)]);
  return { ...wanted, scopes: [...new Set(wanted.scopes)], expiresAt, createdAt: now, lastUsedAt: null };
}
