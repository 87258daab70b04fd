import type { identityOperations } from '@storefront/contracts';
import { actorOf, type Handlers } from '@storefront/http';
import { deviceOf } from '../../routes/headers.ts';
import { reauthenticationOptions } from '../commands/passkey-request-options.ts';
import { reauthenticate } from '../commands/reauthenticate.ts';

export function reauthenticationHandlers(
  parts: Parameters<typeof reauthenticate>[0],
): Pick<Handlers<typeof identityOperations>, 'reauthenticate' | 'getReauthenticationOptions'> {
  return {
    async reauthenticate(request) {
      const { caller, body } = request;
      const device = deviceOf(request);
      const { authenticatedAt, freshUntil } = await reauthenticate(parts, caller, body, device, actorOf(request));
      return { authenticatedAt: authenticatedAt.toISOString(), freshUntil: freshUntil.toISOString() };
    },

    getReauthenticationOptions: ({ caller }) => reauthenticationOptions(parts, caller),
  };
}
