import { notFound } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import type { UserData } from '@storefront/user-data';
import { unsubscribe } from '../domain/preferences.ts';
import type { Preferences } from '../domain/preferences.ts';
import type { UnsubscribeTokens } from '../secrets/unsubscribe-tokens.ts';

interface Needs {
  readonly preferences: Pick<Repository<Preferences>, 'change'>;
  readonly userData: { readonly erasedUsers: Pick<UserData['erasedUsers'], 'has'> };
  readonly unsubscribeTokens: Pick<UnsubscribeTokens, 'read'>;
}

/**
 * Switches off the mail that the token is about, and nothing else. Called again it changes nothing; nothing is stored about
 * somebody who was erased. Throws 404 where the token is none.
 */
export async function unsubscribeMail(
  { preferences, userData, unsubscribeTokens }: Needs,
  token: string,
): Promise<void> {
  const meant = unsubscribeTokens.read(token);
  if (meant === null) throw notFound();
  const { userId, category } = meant;
  if (await userData.erasedUsers.has(userId)) return;
  await preferences.change(userId, (current) => unsubscribe(current, userId, category));
}
