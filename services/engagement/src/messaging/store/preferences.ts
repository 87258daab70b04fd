import {
  boolean,
  byId,
  defineCollection,
  object,
  openRepository,
  optional,
  orNull,
  text,
  withEvents,
  type Repository,
} from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { Preferences } from '../domain/preferences.ts';

const switches = object({ IN_APP: boolean(), EMAIL: boolean(), SMS: boolean(), PUSH: boolean() });

/** One document for each user who ever chose; its id is the user's. */
export const preferences = defineCollection(
  'preferences',
  {
    ...withEvents,
    types: object({
      security: switches,
      account: switches,
      orders: switches,
      wishlist: switches,
      marketing: switches,
      /** Former versions stored none. */
      invoices: optional(switches),
      offers: optional(switches),
    }),
    quietHours: orNull(object({ start: text(), end: text(), timeZone: text() })),
  },
  { sharding: byId },
);

export function openPreferences(resources: Resources): Repository<Preferences> {
  return openRepository<Preferences>(preferences, resources);
}
