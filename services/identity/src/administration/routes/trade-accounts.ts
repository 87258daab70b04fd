import { http, notFound, type identityHttp, type identityOperations } from '@storefront/contracts';
import { actorOf, ifMatch, sendVersioned, type Cursors, type Handlers, type RequestOf } from '@storefront/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Registration, Registrations } from '../../accounts/accounts.ts';
import { setRevokedHeader } from '../../routes/headers.ts';
import { showTradeAccount, showUser } from '../../routes/show-user.ts';
import {
  changeTradeAccount,
  resubmitApplication,
  reviewTradeAccount,
  type TradeAccountNeeds,
} from '../commands/trade-accounts.ts';
import type { ReviewAction } from '../domain/trade-account.ts';

interface Parts extends TradeAccountNeeds {
  readonly registrations: Pick<Registrations, 'unprovedTrade'>;
  readonly cursors: Cursors;
}
type IdentityOperations = typeof identityOperations;
type ReviewOperation =
  | 'approveTradeAccount'
  | 'rejectTradeAccount'
  | 'requestInfoTradeAccount'
  | 'suspendTradeAccount'
  | 'reinstateTradeAccount';

export function tradeAccountHandlers(
  parts: Parts,
): Pick<
  Handlers<IdentityOperations>,
  'listTradeAccounts' | 'getTradeAccount' | 'changeTradeAccount' | 'resubmitTradeAccount' | ReviewOperation
> {
  const { users, registrations, cursors } = parts;

  type ReviewRequest = RequestOf<IdentityOperations[ReviewOperation]>;

  const show = async (request: ReviewRequest, reply: FastifyReply) => {
    const found = await users.load(request.params.id);
    if (!found?.state.trade) throw notFound('trade account');
    return sendVersioned(request, reply, found.version, showTradeAccount(found.state));
  };

  const review = (action: ReviewAction) => ({
    handle: async (request: ReviewRequest, reply: FastifyReply) => {
      const actor = { ...actorOf(request), userId: request.caller.sub };
      const { body, params } = request;
      const country = ('country' in body ? body.country : null) ?? null;
      const input = { userId: params.id, action, actor, reason: body.reason ?? null, country };
      const { user, version, revocation } = await reviewTradeAccount(parts, input, ifMatch(request));
      if (revocation) setRevokedHeader(reply, revocation);
      return sendVersioned(request, reply, version, showTradeAccount(user));
    },
    // A repeated request is answered with the present state, since the timeline in the first answer may be too long to
    // keep.
    again: show,
  });

  return {
    listTradeAccounts({ caller, query }) {
      const { status, proved } = query;
      const list = { list: 'trade-accounts', owner: caller.sub, query };
      if (!proved)
        return cursors.page(
          list,
          (slice) => registrations.unprovedTrade(slice, parts.now()),
          ({ state }) => showUnproved(state),
        );
      return cursors.page(
        list,
        (slice) => users.tradeAccounts({ status, slice }),
        ({ state }) => showTradeAccount(state),
      );
    },

    async getTradeAccount(request, reply) {
      const found = await users.load(request.params.id);
      if (!found?.state.trade) throw notFound('trade account');
      return sendVersioned(request, reply, found.version, showTradeAccount(found.state));
    },

    async changeTradeAccount(request, reply) {
      const input = { userId: request.params.id, country: request.body.country, actor: actorOf(request) };
      const { user, version } = await changeTradeAccount(parts, input, ifMatch(request));
      return sendVersioned(request, reply, version, showTradeAccount(user));
    },

    resubmitTradeAccount: {
      async handle(request, reply) {
        const { caller, body } = request;
        const { user, version } = await resubmitApplication(
          parts,
          caller.sub,
          body,
          actorOf(request),
          ifMatch(request),
        );
        return sendVersioned(request, reply, version, showUser(user));
      },
      async again(request, reply) {
        const found = await users.load(request.caller.sub);
        if (!found) throw notFound('trade account');
        return sendVersioned(request, reply, found.version, showUser(found.state));
      },
    },

    approveTradeAccount: review('approve'),
    rejectTradeAccount: review('reject'),
    requestInfoTradeAccount: review('request-info'),
    suspendTradeAccount: review('suspend'),
    reinstateTradeAccount: review('reinstate'),
  };
}

/** An application whose email is not proved yet, in the form that the API shows to administrators. */
function showUnproved(registration: Registration): z.infer<typeof identityHttp.tradeAccount> {
  const { firstName, lastName, phone, trade, purpose, userId, createdAt } = registration;
  if (!trade) throw new Error('a registration of a consumer is no application');
  const at = createdAt.toISOString();
  return {
    id: purpose.kind === 'again' ? purpose.of : userId,
    email: http.emailAsTyped(registration),
    role: 'trade',
    status: 'unverified',
    firstName,
    lastName,
    phone,
    emailVerifiedAt: null,
    createdAt: at,
    updatedAt: at,
    trade: { ...trade, submittedAt: at, timeline: [] },
  };
}
