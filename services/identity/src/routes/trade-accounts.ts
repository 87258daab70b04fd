import { identityHttp } from '@storefront/contracts';
import { callerOf, ifMatch, notFound, sendVersioned, toPage } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { judge } from '../domain/trade.ts';
import type { Verdict } from '../domain/trade.ts';
import { tellRevoked, tradeAccountBody } from './answers.ts';

const tags = ['trade accounts'];

export function tradeAccountRoutes(app: App, { identity, tradeAccounts, cursors }: AppParts): void {
  app.get(
    '/v1/trade-accounts',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Trade accounts, those submitted last first',
        operationId: 'listTradeAccounts',
        querystring: identityHttp.tradeAccountQuery,
        response: { 200: identityHttp.tradeAccountPage },
      },
    },
    async (request) => {
      const { limit, cursor, status } = request.query;
      const list = `trade-accounts ${status ?? ''}`;
      const found = await tradeAccounts.list({ status, limit, after: cursors.read(list, '', cursor) });
      return toPage(found, limit, tradeAccountBody, (last) =>
        cursors.write(list, '', [last.trade?.submittedAt.getTime() ?? 0, last.id]),
      );
    },
  );

  app.get(
    '/v1/trade-accounts/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'One trade account with its timeline',
        operationId: 'getTradeAccount',
        params: identityHttp.tradeAccountParams,
        response: { 200: identityHttp.tradeAccount },
      },
    },
    async (request, reply) => {
      const found = await identity.users.load(request.params.id);
      if (!found?.state.trade) throw notFound('trade account');
      return sendVersioned(request, reply, found.version, tradeAccountBody(found.state));
    },
  );

  const verdict = (action: Verdict, summary: string) => {
    const isReasonNeeded = action !== 'approve' && action !== 'reinstate';
    app.post(
      `/v1/trade-accounts/:id/${action}`,
      {
        config: { access: 'admin', idempotent: true },
        schema: {
          tags,
          summary,
          operationId: `${action.replace('-i', 'I')}TradeAccount`,
          params: identityHttp.tradeAccountParams,
          body: isReasonNeeded ? identityHttp.decisionWithReason : identityHttp.decisionMaybeReason,
          response: { 200: identityHttp.tradeAccount },
        },
      },
      async (request, reply) => {
        const assertVersion = ifMatch(request);
        const by = callerOf(request).sub;
        const { result, version } = await identity.users.change(request.params.id, (current, version) => {
          assertVersion(version);
          return judge(current, action, { by, reason: request.body.reason ?? null, now: identity.now() });
        });
        if (result.revocation) {
          tellRevoked(reply, result.revocation);
          await identity.sessions.removeBelow(result.user.id, result.revocation.tokenVersion);
        }
        return sendVersioned(request, reply, version, tradeAccountBody(result.user));
      },
    );
  };
  verdict('approve', 'Approve an application');
  verdict('reject', 'Reject an application');
  verdict('request-info', 'Ask the applicant for more');
  verdict('suspend', 'Suspend an approved account; all its tokens die');
  verdict('reinstate', 'End a suspension');
}
