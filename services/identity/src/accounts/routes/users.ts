import { notFound, type identityOperations } from '@storefront/contracts';
import { ifMatch, sendVersioned, type Handlers } from '@storefront/http';
import { changeProfile } from '../commands/change-profile.ts';
import { showUser } from '../../routes/show-user.ts';

export function userHandlers(
  parts: Parameters<typeof changeProfile>[0],
): Pick<Handlers<typeof identityOperations>, 'getMe' | 'changeMe'> {
  return {
    async getMe(request, reply) {
      const found = await parts.users.load(request.caller.sub);
      if (!found) throw notFound('user');
      return sendVersioned(request, reply, found.version, showUser(found.state));
    },

    async changeMe(request, reply) {
      const { user, version } = await changeProfile(parts, request.caller.sub, request.body, ifMatch(request));
      return sendVersioned(request, reply, version, showUser(user));
    },
  };
}
