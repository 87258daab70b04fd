import type { Aggregates } from '@storefront/outbox';
import type { Cursors } from '@storefront/service-kit';
import type { AddressBook } from '../domain/address-book.ts';
import type { Customer } from '../domain/customer.ts';
import type { Wishlist } from '../domain/wishlist.ts';
import type { CustomerList } from '../store/customers.ts';
import type { WishlistReads } from '../store/wishlists.ts';

/** What the routes work with. */
export interface AppParts {
  readonly addressBooks: Aggregates<AddressBook>;
  readonly wishlists: Aggregates<Wishlist>;
  readonly wishlistReads: WishlistReads;
  readonly customers: Aggregates<Customer>;
  readonly customerList: CustomerList;
  readonly cursors: Cursors;
  readonly now: () => Date;
}
