import { notFound } from '@storefront/contracts';
import type { identityOperations } from '@storefront/contracts';
import { ifMatch, sendVersioned } from '@storefront/http';
import type { Cursors, Handlers, RequestOf } from '@storefront/http';
import type { FastifyReply } from 'fastify';
import { reviewTradeAccount } from '../commands/review-trade-account.ts';
import type { ReviewAction } from '../domain/trade-account.ts';
import { setRevokedHeader } from './headers.ts';
import { showTradeAccount } from './show-user.ts';

type Parts = Parameters<typeof reviewTradeAccount>[0] & { readonly cursors: Cursors };
type IdentityOperations = typeof identityOperations;
type ReviewOperation =
  | 'approveTradeAccount'
  | 'rejectTradeAccount'
  | 'requestInfoTradeAccount'
  | 'suspendTradeAccount'
  | 'reinstateTradeAccount';

export function tradeAccountHandlers(
  parts: Parts,
): Pick<Handlers<IdentityOperations>, 'listTradeAccounts' | 'getTradeAccount' | ReviewOperation> {
  const { users, cursors } = parts;

  const review =
    (action: ReviewAction) => async (request: RequestOf<IdentityOperations[ReviewOperation]>, reply: FastifyReply) => {
      const input = { userId: request.params.id, action, by: request.caller.sub, reason: request.body.reason ?? null };
      const { user, version, revocation } = await reviewTradeAccount(parts, input, ifMatch(request));
      if (revocation) setRevokedHeader(reply, revocation);
      return sendVersioned(request, reply, version, showTradeAccount(user));
    };

  return {
    listTradeAccounts: ({ query }) =>
      cursors.page(
        { list: `trade-accounts ${query.status ?? ''}`, owner: '', query },
        (slice) => users.tradeAccounts({ status: query.status, slice }),
        ({ state }) => showTradeAccount(state),
      ),

    async getTradeAccount(request, reply) {
      const found = await users.load(request.params.id);
      if (!found?.state.trade) throw notFound('trade account');
      return sendVersioned(request, reply, found.version, showTradeAccount(found.state));
    },

    approveTradeAccount: review('approve'),
    rejectTradeAccount: review('reject'),
    requestInfoTradeAccount: review('request-info'),
    suspendTradeAccount: review('suspend'),
    reinstateTradeAccount: review('reinstate'),
  };
}
