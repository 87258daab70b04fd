import { notFound } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { unsubscribe, type Preferences } from '../domain/preferences.ts';
import type { UnsubscribeTokens } from '../secrets/unsubscribe-tokens.ts';

interface Needs {
  readonly preferences: Pick<Repository<Preferences>, 'change'>;
  readonly unsubscribeTokens: Pick<UnsubscribeTokens, 'read'>;
}

/**
 * Switches off the mail that the token is about, and nothing else. Called again it changes nothing. Nothing is stored about
 * somebody who has no preferences, such as one who was erased: then it is off. Throws 404 where the token is none.
 */
export async function unsubscribeMail({ preferences, unsubscribeTokens }: Needs, token: string): Promise<void> {
  const meant = unsubscribeTokens.read(token);
  if (meant === null) throw notFound();
  const { userId, category } = meant;
  await preferences.change(userId, (current) => unsubscribe(current, userId, category));
}
