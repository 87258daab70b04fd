import { allPages, type PageOf, type Slice } from '@storefront/contracts';
import type { Store } from '../store/collections.ts';

const readAtOnce = 100;

/**
 * Yields one list of the user's export, under `name`, in parts of 100 items. Yields nothing for a user without a trade
 * account.
 */
export async function* collectPages<State>(
  { accounts }: Pick<Store, 'accounts'>,
  { userId, name }: { readonly userId: string; readonly name: string },
  read: (slice: Slice) => Promise<PageOf<{ readonly state: State }>>,
): AsyncGenerator<object, void> {
  if (!(await accounts.load(userId))) return;
  for await (const page of allPages(read, readAtOnce)) yield { [name]: page.map(({ state }) => state) };
}
