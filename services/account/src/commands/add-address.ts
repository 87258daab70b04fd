import type { accountHttp } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { addAddress as decide, type AddressBook, type ListedAddress } from '../domain/address-book.ts';

interface Needs {
  readonly addressBooks: Repository<AddressBook>;
  readonly now: () => Date;
}

/** Adds an address under `id`; repeated with the same id it changes nothing. */
export async function addAddress(
  { addressBooks, now }: Needs,
  { userId, id, given }: { userId: string; id: string; given: accountHttp.AddressCreation },
): Promise<ListedAddress> {
  return (await addressBooks.change(userId, (book) => decide(book, userId, id, given, now()))).result;
}
