import { notFound, ordersHttp, type ordersOperations } from '@storefront/contracts';
import type { RequestOf } from '@storefront/http';
import type { Order } from '../domain/order.ts';
import type { OrderSecrets } from '../secrets/order-secrets.ts';
import type { OrderStore } from '../store/orders.ts';

interface Parts {
  readonly orders: OrderStore['orders'];
  readonly orderSecrets: OrderSecrets;
}

type OfOne =
  | RequestOf<typeof ordersOperations.getOrder>
  | RequestOf<typeof ordersOperations.getOrderConfirmation>
  | RequestOf<typeof ordersOperations.payOrder>
  | RequestOf<typeof ordersOperations.cancelOrder>
  | RequestOf<typeof ordersOperations.requestReturn>
  | RequestOf<typeof ordersOperations.withdrawReturn>;

/** How routes find orders. Both functions throw `not_found`. */
export interface OrderFinder {
  readonly load: (id: string) => Promise<Order>;
  /** The order, if the caller is its owner, has its secret, or is of the staff that may. */
  readonly findFor: (request: OfOne) => Promise<Order>;
}

export function createOrderFinder({ orders, orderSecrets }: Parts): OrderFinder {
  async function load(id: string): Promise<Order> {
    const found = await orders.load(id);
    if (!found) throw notFound('order');
    return found.state;
  }

  return {
    load,
    async findFor(request) {
      const order = await load(request.params.id);
      const { caller } = request;
      const secret = request.headers[ordersHttp.orderSecretHeader];
      const isOwner = caller !== null && order.userId !== null && caller.sub === order.userId;
      const hasSecret =
        typeof secret === 'string' && order.secret !== null && orderSecrets.matches(order.secret.digest, secret);
      if (isOwner || hasSecret || ('asStaff' in request && request.asStaff)) return order;
      throw notFound('order');
    },
  };
}
