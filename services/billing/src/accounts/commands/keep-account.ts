import type { Shop } from '../../domain/shop.ts';
import type { Store } from '../../store/collections.ts';
import { keepAccount as decide, type ToldAccount } from '../domain/told-account.ts';

interface Needs extends Pick<Store, 'accounts'> {
  readonly shop: Shop;
  readonly now: () => Date;
}

/** Keeps the service's copy of a trade account. An older event changes nothing. */
export async function keepAccount({ accounts, shop, now }: Needs, told: ToldAccount): Promise<void> {
  await accounts.change(told.id, (current) => decide(current, told, shop, now()));
}
