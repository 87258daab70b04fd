import { audited, withFacts, type Actor } from '@storefront/contracts';
import { correctCountry } from '../domain/trade-account.ts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly now: () => Date;
}

/** An administrator corrects the country of a trade account. `assertVersion` throws where the client has read another version. */
export async function changeTradeAccount(
  { users, now }: Needs,
  { userId, country, actor }: { readonly userId: string; readonly country: string; readonly actor: Actor },
  assertVersion: (version: number) => void,
): Promise<{ user: User; version: number }> {
  const fact = audited('identity', actor, 'trade-account-changed', {
    object: { type: 'user', id: userId },
    details: { country },
  });
  const { result: user, version } = await users.change(userId, (current, currentVersion) => {
    assertVersion(currentVersion);
    return withFacts(correctCountry(current, country, now()), fact);
  });
  return { user, version };
}
