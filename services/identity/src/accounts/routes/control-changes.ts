import type { identityOperations } from '@storefront/contracts';
import { actorOf, type Handlers } from '@storefront/http';
import { setRevokedHeader } from '../../routes/headers.ts';
import { revertChanges } from '../commands/revert-changes.ts';

export function controlChangeHandlers(
  parts: Parameters<typeof revertChanges>[0],
): Pick<Handlers<typeof identityOperations>, 'revertChanges'> {
  return {
    async revertChanges(request, reply) {
      const { revokedAt, revocation, undone } = await revertChanges(parts, request.body.token, actorOf(request));
      setRevokedHeader(reply, revocation);
      return { revoked: true, revokedAt: revokedAt.toISOString(), undone };
    },
  };
}
