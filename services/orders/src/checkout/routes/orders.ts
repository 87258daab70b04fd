import { locale, notFound, ordersHttp, ordersOperations, roleRefusal } from '@storefront/contracts';
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
import type { ErasedUsers } from '@storefront/mongo';
import {
  cancelOrder,
  cancelPart,
  changeOrder,
  claimOrder,
  deliverOrder,
  keepPieces,
  mailOrder,
  payOrder,
  refundOrder,
  returnPieces,
  shipOrder,
  takeBackPieces,
} from '../commands/change-order.ts';
import { isAnswered, refusalOf, sendOrder, type SendNeeds } from '../commands/send-order.ts';
import type { OrderWatch } from '../commands/wait-for-order.ts';
import type { Order } from '../domain/order.ts';
import type { MailBudgets } from '../store/mail-budgets.ts';
import { createOrderFinder } from './find-order.ts';
import { paperHandlers, type PaperParts } from './papers.ts';
import { showOrder } from './show-order.ts';

interface Parts extends SendNeeds, PaperParts {
  readonly mailBudgets: MailBudgets;
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  readonly watch: OrderWatch;
  readonly cursors: Cursors;
  readonly apiUrl: string;
}

// So long a buyer looks at a page that does not change yet, from the moment that the request came.
const patienceMs = 3000;

export function orderHandlers(
  parts: Parts,
): Pick<Handlers<typeof ordersOperations>, keyof typeof ordersHttp.orderOperations> {
  const { watch, cursors, apiUrl, orderSecrets, now } = parts;
  const finder = createOrderFinder(parts);
  const { load, findFor } = finder;
  const show = (order: Order, forStaff = false) => showOrder(order, { apiUrl, staffAt: forStaff ? now() : null });
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
        const sent = await sendOrder(parts, {
          id: newIdFor(request, 'ord'),
          isNew: request.idempotency === null,
          buyer,
          given: body,
        });
        noteForReplay(request, sent.id);
        const order = await watch.until(sent, isAnswered, patienceMs - reply.elapsedTime);
        const refusal = refusalOf(order);
        if (refusal) throw refusal;
        void reply.code(isAnswered(order) ? 201 : 202).header('location', `/v1/orders/${order.id}`);
        return showSent(order);
      },
      async again(request, reply) {
        const order = await load(noteOf(request));
        // A guest's order that was claimed meanwhile is read by its owner alone.
        if (order.userId !== (request.caller?.sub ?? null)) throw notFound('order');
        void reply.header('location', `/v1/orders/${order.id}`);
        return showSent(order);
      },
    },

    async listOrders({ caller, query, asStaff }) {
      if (!asStaff && (query.user ?? query.attention) !== undefined) throw roleRefusal(ordersOperations.listOrders);
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
        const { asStaff, body } = request;
        const { lines, reason } = body;
        if (!asStaff && lines !== undefined) throw roleRefusal(ordersOperations.cancelOrder);
        const found = await findFor(request);
        const { id } = found;
        const actor = actorOf(request);
        const order =
          lines === undefined
            ? await cancelOrder(parts, id, { by: whoAsks(request, found), actor, note: reason })
            : await cancelPart(parts, id, { id: newIdFor(request, 'och'), lines, reason, actor });
        return show(order, asStaff);
      },
      again: async (request) => show(await findFor(request), request.asStaff),
    },

    requestReturn: {
      async handle(request, reply) {
        const found = await findFor(request);
        const id = newIdFor(request, 'ret');
        const announced = { id, by: whoAsks(request, found), given: request.body, actor: actorOf(request) };
        const order = await returnPieces(parts, found.id, announced);
        void reply.code(201);
        return show(order, request.asStaff);
      },
      again: async (request) => show(await findFor(request), request.asStaff),
    },

    async withdrawReturn(request) {
      const found = await findFor(request);
      const withdrawn = { id: request.params.returnId, by: whoAsks(request, found), actor: actorOf(request) };
      return show(await keepPieces(parts, found.id, withdrawn), request.asStaff);
    },

    async receiveReturn(request) {
      const { params, body } = request;
      const received = { id: params.returnId, given: body, actor: actorOf(request) };
      return showToStaff(await takeBackPieces(parts, params.id, received));
    },

    refundOrder: {
      async handle(request) {
        const { params, body } = request;
        const refund = { id: newIdFor(request, 'och'), given: body, actor: actorOf(request) };
        return showToStaff(await refundOrder(parts, params.id, refund));
      },
      again: async ({ params }) => showToStaff(await load(params.id)),
    },

    async payOrder(request, reply) {
      const { id } = await findFor(request);
      return show(await watch.until(await payOrder(parts, id), isAnswered, patienceMs - reply.elapsedTime));
    },

    async claimOrder({ params, caller, headers }) {
      const secret = headers[ordersHttp.orderSecretHeader];
      const claimed = { userId: caller.sub, tier: tierOf(caller), secret: typeof secret === 'string' ? secret : '' };
      return show(await claimOrder(parts, params.id, claimed));
    },

    changeOrder: async (request) => {
      const { params, body } = request;
      return showToStaff(await changeOrder(parts, params.id, { given: body, actor: actorOf(request) }));
    },

    mailOrder: {
      async handle(request) {
        const { params, body } = request;
        const mail = { id: newIdFor(request, 'och'), ...body, actor: actorOf(request) };
        return showToStaff(await mailOrder(parts, params.id, mail));
      },
      again: async ({ params }) => showToStaff(await load(params.id)),
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

/** Staff who order for themselves are buyers. */
function whoAsks(
  { asStaff, caller }: { readonly asStaff: boolean; readonly caller: { readonly sub: string } | null },
  { userId }: Order,
): 'buyer' | 'shop' {
  return asStaff && caller?.sub !== userId ? 'shop' : 'buyer';
}

function tierOf(caller: { readonly role: string } | null): Order['tier'] {
  return caller?.role === 'trade' ? 'trade' : 'retail';
}
