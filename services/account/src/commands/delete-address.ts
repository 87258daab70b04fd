import type { Repository } from '@storefront/mongo';
import { deleteAddress as decide, type AddressBook } from '../domain/address-book.ts';

interface Needs {
  readonly addressBooks: Repository<AddressBook>;
  readonly now: () => Date;
}

/** Deletes an address of the user. `expect` throws where the client has seen another version of it. */
export async function deleteAddress(
  { addressBooks, now }: Needs,
  { userId, addressId, expect }: { userId: string; addressId: string; expect: (version: number) => void },
): Promise<void> {
  await addressBooks.change(userId, (book) => decide(book, addressId, { now: now(), expect }));
}
