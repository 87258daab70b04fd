import { identityHttp } from '@storefront/contracts';
import { callerOf } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { invalidRefreshToken } from '../domain/errors.ts';
import { logIn } from '../domain/log-in.ts';
import { logOut } from '../domain/log-out.ts';
import { refresh } from '../domain/refresh.ts';
import { deviceOf, tellRevoked, userBody } from './answers.ts';
import { refuseEvenly } from './even-timing.ts';

const tags = ['auth'];

export function loginRoutes(app: App, { identity }: AppParts): void {
  app.post(
    '/v1/auth/login',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Log in by password',
        operationId: 'logIn',
        body: identityHttp.credentials,
        response: { 200: identityHttp.tokenPairWithUser },
      },
    },
    async (request) => {
      const { tokens, user } = await refuseEvenly(() => logIn(identity, request.body, deviceOf(request)));
      return { ...tokens, user: userBody(user) };
    },
  );

  app.post(
    '/v1/auth/refresh',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Exchange a refresh token for a new pair',
        description: 'A refresh token works once. One that comes back ends the session.',
        operationId: 'refreshTokens',
        body: identityHttp.refreshRequest,
        response: { 200: identityHttp.tokenPair },
      },
    },
    async (request, reply) => {
      const refreshed = await refresh(identity, request.body.refreshToken);
      if (refreshed.kind === 'refreshed') return refreshed.tokens;
      if (refreshed.revocation) tellRevoked(reply, refreshed.revocation);
      throw invalidRefreshToken();
    },
  );

  app.post(
    '/v1/auth/logout',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Log out everywhere',
        description: 'All tokens of the user die at once.',
        operationId: 'logOut',
        response: { 200: identityHttp.revoked },
      },
    },
    async (request, reply) => {
      const { revokedAt, revocation } = await logOut(identity, callerOf(request).sub);
      tellRevoked(reply, revocation);
      return { revoked: true as const, revokedAt: revokedAt.toISOString() };
    },
  );
}
