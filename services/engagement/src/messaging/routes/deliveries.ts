import { notFound, type engagementOperations } from '@storefront/contracts';
import { actorOf, type Cursors, type Handlers } from '@storefront/http';
import type { Loaded } from '@storefront/mongo';
import type { Suppressions } from '../store/suppressions.ts';
import { retryDelivery } from '../commands/retry-delivery.ts';
import type { MessageDelivery } from '../domain/delivery.ts';
import type { Deliveries, ListedDelivery } from '../store/deliveries.ts';
import { showDelivery } from './show-delivery.ts';

interface Needs {
  readonly deliveries: Deliveries;
  readonly suppressions: Suppressions;
  readonly cursors: Cursors;
  /** The domain of the `Message-ID` of mails. */
  readonly mailDomain: string;
  readonly sendNow: (due: Loaded<MessageDelivery>) => void;
  readonly databaseNow: () => Date;
}

/** Administrators follow what was sent, and retry what failed. */
export function deliveryHandlers(
  needs: Needs,
): Pick<Handlers<typeof engagementOperations>, 'listDeliveries' | 'getDelivery' | 'retryDelivery'> {
  const { deliveries, cursors, mailDomain } = needs;
  const show = (delivery: ListedDelivery) => showDelivery(delivery, mailDomain);
  return {
    listDeliveries({ caller, query }) {
      const { limit: _limit, cursor: _cursor, ...filter } = query;
      return cursors.page(
        { list: 'deliveries', owner: caller.sub, query },
        (slice) => deliveries.list(filter, slice),
        show,
      );
    },

    getDelivery: ({ params }) => read(params.id),

    retryDelivery: {
      handle: async (request) => show(await retryDelivery(needs, request.params.id, actorOf(request))),
      again: ({ params }) => read(params.id),
    },
  };

  async function read(id: string) {
    const found = await deliveries.load(id);
    if (found === null) throw notFound('delivery');
    return show(found.state);
  }
}
