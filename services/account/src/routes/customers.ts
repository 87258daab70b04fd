import { notFound, type accountHttp, type accountOperations } from '@storefront/contracts';
import { ifMatch, newIdFor, sendVersioned, type Cursors, type Handlers } from '@storefront/http';
import { addCustomer, changeCustomer, deleteCustomer } from '../commands/customers.ts';
import { customerErrors, customerKey } from '../domain/customer.ts';
import type { Store } from '../store/collections.ts';
import type { CustomerReads, ListedCustomer } from '../store/customers.ts';

type CustomerOperation = 'listCustomers' | 'getCustomer' | 'addCustomer' | 'changeCustomer' | 'deleteCustomer';

export function customerHandlers(
  parts: Parameters<typeof addCustomer>[0] &
    Pick<Store, 'customers'> & { readonly customerReads: CustomerReads; readonly cursors: Cursors },
): Pick<Handlers<typeof accountOperations>, CustomerOperation> {
  const { customers, customerReads, cursors } = parts;
  return {
    listCustomers: ({ caller: { sub }, query }) =>
      cursors.page(
        { list: 'customers', owner: sub, query },
        (slice) => customerReads.page(sub, slice, query.q),
        showCustomer,
      ),

    async getCustomer(request, reply) {
      const found = await load(request.caller.sub, request.params.id);
      return sendVersioned(request, reply, found.version, showCustomer(found.state));
    },

    addCustomer: {
      check: customerErrors,
      async handle(request, reply) {
        const id = newIdFor(request, 'cust');
        const { state, version } = await addCustomer(parts, { owner: request.caller.sub, id, given: request.body });
        void reply.header('location', `/v1/customers/${id}`);
        return sendVersioned(request, reply, version, showCustomer(state));
      },
      async again(request, reply) {
        const found = await load(request.caller.sub, newIdFor(request, 'cust'));
        return sendVersioned(request, reply, found.version, showCustomer(found.state));
      },
    },

    changeCustomer: {
      check: customerErrors,
      async handle(request, reply) {
        const { state, version } = await changeCustomer(parts, {
          owner: request.caller.sub,
          id: request.params.id,
          given: request.body,
          expect: ifMatch(request),
        });
        return sendVersioned(request, reply, version, showCustomer(state));
      },
    },

    async deleteCustomer(request) {
      const { caller, params } = request;
      await deleteCustomer(parts, { owner: caller.sub, id: params.id, expect: ifMatch(request) });
      return null;
    },
  };

  async function load(owner: string, id: string) {
    const found = await customers.load(customerKey(owner, id));
    if (!found) throw notFound('customer');
    return found;
  }
}

function showCustomer(customer: ListedCustomer): accountHttp.CustomerBody {
  const { customerId, firstName, lastName, email, phone, address, note, orderCount } = customer;
  return {
    id: customerId,
    firstName,
    lastName,
    email,
    phone,
    address,
    note,
    orderCount,
    lastOrderedAt: customer.lastOrderedAt?.toISOString() ?? null,
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  };
}
