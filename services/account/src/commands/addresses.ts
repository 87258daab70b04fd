import type { accountHttp } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import * as decide from '../domain/address-book.ts';

interface Needs {
  readonly addressBooks: Repository<decide.AddressBook>;
  readonly now: () => Date;
}

/** An address of the user. `expect` throws where the client has read another version of the address. */
interface Target {
  readonly userId: string;
  readonly addressId: string;
  readonly expect: (version: number) => void;
}

/** Adds an address under `id`. Repeated with the same id, it changes nothing. */
export async function addAddress(
  { addressBooks, now }: Needs,
  { userId, id, given }: { userId: string; id: string; given: accountHttp.AddressCreation },
): Promise<decide.ListedAddress> {
  return (await addressBooks.change(userId, (book) => decide.addAddress(book, userId, id, given, now()))).result;
}

export async function changeAddress(
  { addressBooks, now }: Needs,
  { userId, addressId, expect, given }: Target & { readonly given: accountHttp.AddressChange },
): Promise<decide.ListedAddress> {
  const { result } = await addressBooks.change(userId, (book) =>
    decide.changeAddress(book, addressId, given, { now: now(), expect }),
  );
  return result;
}

export async function deleteAddress(
  { addressBooks, now }: Needs,
  { userId, addressId, expect }: Target,
): Promise<void> {
  await addressBooks.change(userId, (book) => decide.deleteAddress(book, addressId, { now: now(), expect }));
}
