import { engagementHttp } from '@storefront/contracts';
import { callerOf, notFound, Problem, toPage } from '@storefront/service-kit';
import type { App, Cursors } from '@storefront/service-kit';
import type { Loaded } from '@storefront/outbox';
import { isRetryable, retry } from '../domain/delivery.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { Suppressions } from '../store/suppressions.ts';
import { showDelivery } from './show.ts';

const tags = ['notifications'];

export function deliveryRoutes(
  app: App,
  parts: {
    deliveries: Deliveries;
    suppressions: Suppressions;
    cursors: Cursors;
    messageId: (delivery: Delivery) => string;
    nudge: (due: Loaded<Delivery>) => void;
    now: () => Date;
  },
): void {
  const { deliveries, cursors } = parts;
  const show = (delivery: Delivery) => showDelivery(delivery, parts.messageId(delivery));

  app.get(
    '/v1/notifications/deliveries',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'What was sent, newest first',
        operationId: 'listDeliveries',
        querystring: engagementHttp.deliveryQuery,
        response: { 200: engagementHttp.deliveryPage },
      },
    },
    async (request) => {
      const { sub } = callerOf(request);
      const { limit, cursor, ...filter } = request.query;
      const found = await deliveries.list(filter, cursors.read('deliveries', sub, cursor), limit + 1);
      return toPage(found, limit, show, (last) =>
        cursors.write('deliveries', sub, [last.createdAt.getTime(), last.id]),
      );
    },
  );

  app.get(
    '/v1/notifications/deliveries/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'One delivery with its attempts',
        operationId: 'getDelivery',
        params: engagementHttp.deliveryParams,
        response: { 200: engagementHttp.delivery },
      },
    },
    async (request) => {
      const found = await deliveries.load(request.params.id);
      if (found === null) throw notFound('delivery');
      return show(found.state);
    },
  );

  app.post(
    '/v1/notifications/deliveries/:id/retry',
    {
      config: { access: 'admin', idempotent: true },
      schema: {
        tags,
        summary: 'Tries again what had failed or was suppressed',
        operationId: 'retryDelivery',
        params: engagementHttp.deliveryParams,
        response: { 200: engagementHttp.delivery },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { result, version } = await deliveries.change(id, (current) => {
        if (current === null) throw notFound('delivery');
        if (!isRetryable(current))
          throw new Problem(409, 'delivery_not_retryable', `A ${current.status} delivery can't be tried again.`);
        return retry(current, parts.now());
      });
      // An administrator knows better: the address is given another chance.
      if (result.email !== null) await parts.suppressions.remove(result.email);
      parts.nudge({ state: result, version });
      return show(result);
    },
  );
}
