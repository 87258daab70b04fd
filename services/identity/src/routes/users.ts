import { identityHttp } from '@storefront/contracts';
import { callerOf, ifMatch, notFound, sendVersioned } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { changeProfile } from '../domain/profile.ts';
import { userBody } from './answers.ts';

const tags = ['users'];

export function userRoutes(app: App, { identity }: AppParts): void {
  app.get(
    '/v1/users/me',
    {
      config: { access: 'user' },
      schema: { tags, summary: 'Who is logged in', operationId: 'getMe', response: { 200: identityHttp.user } },
    },
    async (request, reply) => {
      const found = await identity.users.load(callerOf(request).sub);
      if (!found) throw notFound('user');
      return sendVersioned(request, reply, found.version, userBody(found.state));
    },
  );

  app.patch(
    '/v1/users/me',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change names or phone',
        operationId: 'changeMe',
        body: identityHttp.profileChange,
        response: { 200: identityHttp.user },
      },
    },
    async (request, reply) => {
      const assertVersion = ifMatch(request);
      const { result, version } = await identity.users.change(callerOf(request).sub, (current, version) => {
        assertVersion(version);
        return changeProfile(current, request.body, identity.now());
      });
      return sendVersioned(request, reply, version, userBody(result));
    },
  );
}
