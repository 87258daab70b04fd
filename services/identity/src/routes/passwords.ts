import { identityHttp } from '@storefront/contracts';
import { callerOf } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { change, forgot, reset } from '../domain/recover.ts';
import { deviceOf, tellRevoked } from './answers.ts';
import { evenly, refuseEvenly } from './even-timing.ts';

const tags = ['auth'];

export function passwordRoutes(app: App, { identity }: AppParts): void {
  app.post(
    '/v1/auth/password/forgot',
    {
      config: { access: 'public', idempotent: true },
      schema: {
        tags,
        summary: 'Ask for a code to set another password',
        description: 'Answers the same whether the email is known or not.',
        operationId: 'forgotPassword',
        body: identityHttp.emailOnly,
        response: { 202: identityHttp.accepted },
      },
    },
    async (request, reply) => {
      await evenly(() => forgot(identity, request.body.email));
      return reply.code(202).send({ status: 'accepted' });
    },
  );

  app.post(
    '/v1/auth/password/reset',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Set another password by a code',
        description: 'Ends all sessions, and counts as proof of the email.',
        operationId: 'resetPassword',
        body: identityHttp.passwordReset,
        response: { 200: identityHttp.revoked },
      },
    },
    async (request, reply) => {
      const { revokedAt, revocation } = await refuseEvenly(() => reset(identity, request.body));
      tellRevoked(reply, revocation);
      return { revoked: true as const, revokedAt: revokedAt.toISOString() };
    },
  );

  app.post(
    '/v1/auth/password/change',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Set another password by the current one',
        description: 'Logs out everywhere else; answers new tokens for this device.',
        operationId: 'changePassword',
        body: identityHttp.passwordChange,
        response: { 200: identityHttp.tokenPair },
      },
    },
    async (request, reply) => {
      const { tokens, revocation } = await change(identity, callerOf(request).sub, request.body, deviceOf(request));
      tellRevoked(reply, revocation);
      return tokens;
    },
  );
}
