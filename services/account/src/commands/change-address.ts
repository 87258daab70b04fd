import type { accountHttp } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { changeAddress as decide, type AddressBook, type ListedAddress } from '../domain/address-book.ts';

interface Needs {
  readonly addressBooks: Repository<AddressBook>;
  readonly now: () => Date;
}

/** Changes an address of the user. `expect` throws where the client has seen another version of it. */
export async function changeAddress(
  { addressBooks, now }: Needs,
  change: {
    readonly userId: string;
    readonly addressId: string;
    readonly given: accountHttp.AddressChange;
    readonly expect: (version: number) => void;
  },
): Promise<ListedAddress> {
  const { userId, addressId, given, expect } = change;
  return (await addressBooks.change(userId, (book) => decide(book, addressId, given, { now: now(), expect }))).result;
}
