import type { Loaded, Repository } from '@storefront/mongo';
import { defaultPreferences, type Preferences } from '../domain/preferences.ts';

/** The user's preferences; the default ones, with version 0, where the user never chose. */
export async function loadPreferences(
  preferences: Pick<Repository<Preferences>, 'load'>,
  userId: string,
): Promise<Loaded<Preferences>> {
  return (await preferences.load(userId)) ?? { state: defaultPreferences(userId), version: 0 };
}
