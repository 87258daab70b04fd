import { newestFirst } from '../domain/address-book.ts';
import type { Store } from '../store/collections.ts';
import type { CustomerReads } from '../store/customers.ts';

interface Needs extends Pick<Store, 'addressBooks' | 'wishlists'> {
  readonly customerReads: CustomerReads;
}

/** All that is kept about the user, as an export shows it. */
export async function collectUserData(
  { addressBooks, wishlists, customerReads }: Needs,
  userId: string,
): Promise<object> {
  const [book, list, customers] = await Promise.all([
    addressBooks.load(userId),
    wishlists.load(userId),
    customerReads.ofOwner(userId),
  ]);
  return {
    addresses: newestFirst(book?.state ?? null).map(({ version: _version, ...address }) => address),
    wishlist: list?.state.items ?? [],
    wishlistSharedAt: list?.state.share?.createdAt ?? null,
    customers: customers.map(({ id: _id, owner: _owner, customerId, ...customer }) => ({
      id: customerId,
      ...customer,
    })),
  };
}
