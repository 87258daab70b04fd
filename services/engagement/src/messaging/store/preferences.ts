import { byId, defineCollection, openRepository, withEvents, type Repository } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { storedPreferences, type Preferences } from '../domain/preferences.ts';

/** One document for each user who ever chose preferences. */
export const preferences = defineCollection(
  'preferences',
  { ...withEvents, ...storedPreferences.shape },
  { sharding: byId },
);

export function openPreferences(resources: Resources): Repository<Preferences> {
  return openRepository<Preferences>(preferences, resources);
}
