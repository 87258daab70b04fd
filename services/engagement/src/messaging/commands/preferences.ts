import { changed, notFound } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import {
  choosePreferences,
  defaultPreferences,
  unsubscribe,
  type Preferences,
  type PreferencesInput,
} from '../domain/preferences.ts';
import type { UnsubscribeTokens } from '../secrets/unsubscribe-tokens.ts';

/** Returns the user's preferences, or the default ones with version 0 where the user never chose any. */
export async function loadPreferences(
  preferences: Pick<Repository<Preferences>, 'load'>,
  userId: string,
): Promise<Loaded<Preferences>> {
  return (await preferences.load(userId)) ?? { state: defaultPreferences(userId), version: 0 };
}

/**
 * Replaces the user's preferences. `assertVersion` gets the current version and throws where the client has read
 * another one.
 */
export async function replacePreferences(
  { preferences }: { readonly preferences: Pick<Repository<Preferences>, 'change'> },
  userId: string,
  input: PreferencesInput,
  assertVersion: (version: number) => void,
): Promise<Loaded<Preferences>> {
  const chosen = choosePreferences(userId, input);
  const { version } = await preferences.change(userId, (_current, currentVersion) => {
    assertVersion(currentVersion);
    return changed(chosen, []);
  });
  return { state: chosen, version };
}

interface UnsubscribeNeeds {
  readonly preferences: Pick<Repository<Preferences>, 'change'>;
  readonly unsubscribeTokens: Pick<UnsubscribeTokens, 'read'>;
}

/**
 * Switches off only the category of mail that the token names, and returns the id of its user. A second call changes nothing. Stores nothing for a user
 * without preferences, such as an erased user, because such mail is off by default. Throws 404 where the token is not
 * valid.
 */
export async function unsubscribeMail(
  { preferences, unsubscribeTokens }: UnsubscribeNeeds,
  token: string,
): Promise<string> {
  const unsubscription = unsubscribeTokens.read(token);
  if (unsubscription === null) throw notFound();
  const { userId, category } = unsubscription;
  await preferences.change(userId, (current) => unsubscribe(current, userId, category));
  return userId;
}
