import type { identityHttp, identityOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Handlers } from '@storefront/http';
import type { z } from 'zod';
import { deviceOf } from '../../routes/headers.ts';
import { showUser } from '../../routes/show-user.ts';
import { logInByPasskey } from '../commands/log-in-by-passkey.ts';
import { loginOptions } from '../commands/passkey-request-options.ts';
import { changePasskeyName, passkeyCreationOptions, registerPasskey } from '../commands/passkeys.ts';
import { deletePasskey } from '../commands/remove-factor.ts';
import type { Passkey } from '../domain/factors.ts';
import type { FactorNeeds } from '../commands/factor-needs.ts';

export function passkeyHandlers(
  needs: FactorNeeds,
): Pick<
  Handlers<typeof identityOperations>,
  | 'getPasskeyOptions'
  | 'addPasskey'
  | 'listPasskeys'
  | 'renamePasskey'
  | 'removePasskey'
  | 'getPasskeyLoginOptions'
  | 'logInByPasskey'
> {
  return {
    getPasskeyOptions: ({ caller }) => passkeyCreationOptions(needs, caller),

    async addPasskey(request, reply) {
      const id = newIdFor(request, 'pkey');
      const { passkey, recoveryCodes } = await registerPasskey(
        needs,
        request.caller,
        { id, ...request.body },
        actorOf(request),
      );
      void reply.header('location', `/v1/auth/passkeys/${id}`);
      return { ...showPasskey(passkey), recoveryCodes };
    },

    async listPasskeys({ caller }) {
      const passkeys = (await needs.factors.load(caller.sub))?.state.passkeys ?? [];
      return { data: passkeys.map(showPasskey) };
    },

    renamePasskey: async ({ caller, params, body }) =>
      showPasskey(await changePasskeyName(needs, caller.sub, params.id, body.name)),

    async removePasskey(request) {
      await deletePasskey(needs, request.caller, request.params.id, actorOf(request));
      return null;
    },

    getPasskeyLoginOptions: () => loginOptions(needs),

    async logInByPasskey(request) {
      const { tokens, deviceToken, user } = await logInByPasskey(
        needs,
        request.body.response,
        deviceOf(request),
        actorOf(request),
      );
      return { ...tokens, deviceToken, user: showUser(user) };
    },
  };
}

function showPasskey({ id, name, backedUp, createdAt, lastUsedAt }: Passkey): z.infer<typeof identityHttp.passkey> {
  return {
    id,
    name,
    backedUp,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
