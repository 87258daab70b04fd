import type { identityOperations } from '@storefront/contracts';
import { actorOf, type Handlers } from '@storefront/http';
import { deviceOf } from '../../routes/headers.ts';
import { reauthenticationOptions } from '../commands/passkey-request-options.ts';
import { reauthenticate } from '../commands/reauthenticate.ts';
import type { FactorNeeds } from '../commands/factor-needs.ts';

export function reauthenticationHandlers(
  needs: FactorNeeds,
): Pick<Handlers<typeof identityOperations>, 'reauthenticate' | 'getReauthenticationOptions'> {
  return {
    async reauthenticate(request) {
      const { caller, body } = request;
      const device = deviceOf(request);
      const { authenticatedAt, freshUntil } = await reauthenticate(needs, caller, body, device, actorOf(request));
      return { authenticatedAt: authenticatedAt.toISOString(), freshUntil: freshUntil.toISOString() };
    },

    getReauthenticationOptions: ({ caller }) => reauthenticationOptions(needs, caller),
  };
}
