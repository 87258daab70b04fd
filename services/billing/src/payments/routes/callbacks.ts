import { audited, notFound, type billingHttp, type billingOperations } from '@storefront/contracts';
import { actorOf, type Cursors, type Handlers } from '@storefront/http';
import type { AuditNotes, Repository } from '@storefront/mongo';
import type { ReceiveCallback } from '../commands/receive-callback.ts';
import { replayCallback } from '../commands/replay-callback.ts';
import type { Callback } from '../domain/callback.ts';

type Operation = 'receiveCallback' | 'listCallbacks' | 'getCallback' | 'replayCallback';

const newestFirst = { receivedAt: -1, _id: -1 } as const;

export function callbackHandlers(parts: {
  readonly callbacks: Repository<Callback>;
  readonly receiveCallback: ReceiveCallback;
  readonly cursors: Cursors;
  readonly auditNotes: AuditNotes;
}): Pick<Handlers<typeof billingOperations>, Operation> {
  const { callbacks, receiveCallback, cursors, auditNotes } = parts;
  return {
    async receiveCallback({ params, headers, body, clientIp }) {
      await receiveCallback({ provider: params.id, headers, body, address: clientIp });
      return { received: true as const };
    },

    async listCallbacks({ caller, query }) {
      const { outcome, payment } = query;
      const filter = {
        ...(outcome === undefined ? {} : { outcome }),
        ...(payment === undefined ? {} : { paymentId: payment }),
      };
      const hint = payment !== undefined ? 'by_payment' : outcome !== undefined ? 'by_outcome' : 'newest';
      return await cursors.page(
        { list: 'callbacks', owner: caller.sub, query },
        (slice) => callbacks.page({ filter, order: newestFirst, slice, hint, without: ['body'] }),
        ({ state }) => showCallback(state),
      );
    },

    async getCallback(request) {
      const { id } = request.params;
      const found = await callbacks.load(id);
      if (!found) throw notFound('callback');
      const object = { type: 'callback', id };
      await auditNotes.add(audited('billing', actorOf(request), 'callback-read', { object }));
      return { ...showCallback(found.state), body: found.state.body };
    },

    replayCallback: async (request) => showCallback(await replayCallback(parts, request.params.id, actorOf(request))),
  };
}

function showCallback(callback: Omit<Callback, 'body'>): billingHttp.CallbackBody {
  const { id, provider, outcome, reason, eventId, type, paymentId, address, bytes, replays } = callback;
  return {
    id,
    provider,
    outcome,
    reason,
    eventId,
    type,
    paymentId,
    address,
    bytes,
    receivedAt: callback.receivedAt.toISOString(),
    doneAt: callback.doneAt?.toISOString() ?? null,
    replays,
  };
}
