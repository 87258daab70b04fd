import type { accountHttp, accountOperations } from '@storefront/contracts';
import { ifMatch, newIdFor, sendVersioned, type Cursors, type Handlers } from '@storefront/http';
import { addAddress, changeAddress, deleteAddress } from '../commands/addresses.ts';
import { addressErrors, findAddress, pageOfAddresses, type ListedAddress } from '../domain/address-book.ts';
import type { Store } from '../store/collections.ts';

type AddressOperation = 'listAddresses' | 'getAddress' | 'addAddress' | 'changeAddress' | 'deleteAddress';

export function addressHandlers(
  parts: Pick<Store, 'addressBooks'> & { readonly cursors: Cursors; readonly now: () => Date },
): Pick<Handlers<typeof accountOperations>, AddressOperation> {
  const { addressBooks, cursors } = parts;
  const bookOf = async (userId: string) => (await addressBooks.load(userId))?.state ?? null;

  return {
    listAddresses: ({ caller: { sub }, query }) =>
      cursors.page(
        { list: 'addresses', owner: sub, query },
        async (slice) => pageOfAddresses(await bookOf(sub), slice),
        showAddress,
      ),

    async getAddress(request, reply) {
      const address = findAddress(await bookOf(request.caller.sub), request.params.addressId);
      return sendVersioned(request, reply, address.version, showAddress(address));
    },

    addAddress: {
      check: addressErrors,
      async handle(request, reply) {
        const id = newIdFor(request, 'addr');
        const address = await addAddress(parts, { userId: request.caller.sub, id, given: request.body });
        void reply.header('location', `/v1/users/me/addresses/${id}`);
        return sendVersioned(request, reply, address.version, showAddress(address));
      },
      async again(request, reply) {
        const address = findAddress(await bookOf(request.caller.sub), newIdFor(request, 'addr'));
        return sendVersioned(request, reply, address.version, showAddress(address));
      },
    },

    changeAddress: {
      check: addressErrors,
      async handle(request, reply) {
        const address = await changeAddress(parts, {
          userId: request.caller.sub,
          addressId: request.params.addressId,
          given: request.body,
          expect: ifMatch(request),
        });
        return sendVersioned(request, reply, address.version, showAddress(address));
      },
    },

    async deleteAddress(request) {
      const { caller, params } = request;
      await deleteAddress(parts, { userId: caller.sub, addressId: params.addressId, expect: ifMatch(request) });
      return null;
    },
  };
}

function showAddress(address: ListedAddress): accountHttp.AddressBody {
  return { ...address, createdAt: address.createdAt.toISOString(), updatedAt: address.updatedAt.toISOString() };
}
