import { locale, ordersOperations, roleRefusal, type ordersHttp } from '@storefront/contracts';
import {
  actorOf,
  networkOf,
  newIdFor,
  noteForReplay,
  noteOf,
  preferredLanguage,
  type Cursors,
  type Handlers,
} from '@storefront/http';
import { cancelOrder, cancelPart, deliverOrder, payOrder, refundOrder, shipOrder } from '../commands/change-order.ts';
import { isAnswered, refusalOf, sendOrder, type SendNeeds } from '../commands/send-order.ts';
import type { OrderWatch } from '../commands/wait-for-order.ts';
import type { Order } from '../domain/order.ts';
import { createOrderFinder } from './find-order.ts';
import { paperHandlers, type PaperParts } from './papers.ts';
import { showOrder } from './show-order.ts';

interface Parts extends SendNeeds, PaperParts {
  readonly watch: OrderWatch;
  readonly cursors: Cursors;
  readonly apiUrl: string;
}

// So long a buyer looks at a page that does not change yet.
const patienceMs = 3000;

export function orderHandlers(
  parts: Parts,
): Pick<Handlers<typeof ordersOperations>, keyof typeof ordersHttp.orderOperations> {
  const { watch, cursors, apiUrl, orderSecrets } = parts;
  const finder = createOrderFinder(parts);
  const { load, findFor } = finder;
  const show = (order: Order, forStaff = false) => showOrder(order, { apiUrl, forStaff });
  const showToStaff = (order: Order) => show(order, true);
  const showSent = (order: Order) =>
    showOrder(order, { apiUrl, secret: order.secret === null ? null : orderSecrets.of(order.id) });

  return {
    ...paperHandlers({ ...parts, ...finder }),

    createOrder: {
      async handle(request, reply) {
        const { caller, body, clientIp, headers } = request;
        const buyer = {
          userId: caller?.sub ?? null,
          tier: tierOf(caller),
          network: networkOf(clientIp ?? 'unknown'),
          locale: preferredLanguage(headers['accept-language'], locale.options) ?? null,
        };
        const sent = await sendOrder(parts, { id: newIdFor(request, 'ord'), buyer, given: body });
        noteForReplay(request, sent.id);
        const order = await watch.until(sent, isAnswered, patienceMs);
        const refusal = refusalOf(order);
        if (refusal) throw refusal;
        void reply.code(isAnswered(order) ? 201 : 202).header('location', `/v1/orders/${order.id}`);
        return showSent(order);
      },
      async again(request, reply) {
        const order = await load(noteOf(request));
        void reply.header('location', `/v1/orders/${order.id}`);
        return showSent(order);
      },
    },

    async listOrders({ caller, query, asStaff }) {
      if (!asStaff && query.user !== undefined) throw roleRefusal(ordersOperations.listOrders);
      const user = asStaff ? query.user : caller.sub;
      return await cursors.page(
        { list: 'orders', owner: caller.sub, query },
        (slice) => parts.pageOf({ ...query, user }, slice),
        ({ state }) => show(state, asStaff),
      );
    },

    getOrder: async (request) => show(await findFor(request), request.asStaff),

    cancelOrder: {
      async handle(request) {
        const { asStaff, body, caller } = request;
        const { lines, reason } = body;
        if (!asStaff && lines !== undefined) throw roleRefusal(ordersOperations.cancelOrder);
        const { id, userId } = await findFor(request);
        const isOwn = caller !== null && caller.sub === userId;
        const actor = actorOf(request);
        const order =
          lines === undefined
            ? await cancelOrder(parts, id, { by: asStaff && !isOwn ? 'shop' : 'buyer', actor, note: reason })
            : await cancelPart(parts, id, { id: newIdFor(request, 'och'), lines, reason, actor });
        return show(order, asStaff);
      },
      again: async (request) => show(await findFor(request), request.asStaff),
    },

    refundOrder: {
      async handle(request) {
        const { params, body } = request;
        const refund = { id: newIdFor(request, 'och'), given: body, actor: actorOf(request) };
        return showToStaff(await refundOrder(parts, params.id, refund));
      },
      again: async ({ params }) => showToStaff(await load(params.id)),
    },

    async payOrder(request) {
      const { id } = await findFor(request);
      return show(await watch.until(await payOrder(parts, id), isAnswered, patienceMs));
    },

    createShipment: {
      async handle(request, reply) {
        const { params, body } = request;
        const shipment = { id: newIdFor(request, 'shpm'), given: body, actor: actorOf(request) };
        const order = await shipOrder(parts, params.id, shipment);
        void reply.code(201);
        return showToStaff(order);
      },
      again: async ({ params }) => showToStaff(await load(params.id)),
    },

    deliverOrder: async (request) => showToStaff(await deliverOrder(parts, request.params.id, actorOf(request))),
  };
}

function tierOf(caller: { readonly role: string } | null): Order['tier'] {
  return caller?.role === 'trade' ? 'trade' : 'retail';
}
