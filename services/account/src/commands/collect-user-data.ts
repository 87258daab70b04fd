import { allPages } from '@storefront/contracts';
import { newestFirst } from '../domain/address-book.ts';
import type { Store } from '../store/collections.ts';
import type { CustomerReads } from '../store/customers.ts';

interface Needs extends Pick<Store, 'addressBooks' | 'wishlists'> {
  readonly customerReads: CustomerReads;
}

const readAtOnce = 200;

/** Returns all data kept about the user, in parts, as an export shows it. */
export async function* collectUserData(
  { addressBooks, wishlists, customerReads }: Needs,
  userId: string,
): AsyncGenerator<object, void> {
  const [book, list] = await Promise.all([addressBooks.load(userId), wishlists.load(userId)]);
  yield {
    addresses: newestFirst(book?.state ?? null).map(({ version: _version, ...address }) => address),
    wishlist: list?.state.items ?? [],
    wishlistSharedAt: list?.state.share?.createdAt ?? null,
  };
  for await (const page of allPages((slice) => customerReads.page(userId, slice, undefined), readAtOnce))
    yield {
      customers: page.map(({ id: _id, owner: _owner, customerId, ...customer }) => ({ id: customerId, ...customer })),
    };
}
