import { changed } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import { choosePreferences, type Preferences, type PreferencesInput } from '../domain/preferences.ts';

interface Needs {
  readonly preferences: Repository<Preferences>;
}

/** Replaces the user's preferences. `assertVersion` throws where the client has read another version. */
export async function replacePreferences(
  { preferences }: Needs,
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
