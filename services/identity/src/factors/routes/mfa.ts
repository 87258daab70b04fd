import type { identityOperations } from '@storefront/contracts';
import { actorOf, type Handlers } from '@storefront/http';
import { deviceOf } from '../../routes/headers.ts';
import { showUser } from '../../routes/show-user.ts';
import { makeRecoveryCodes } from '../commands/make-recovery-codes.ts';
import { mfaOptions } from '../commands/passkey-request-options.ts';
import { removeAuthenticatorApp } from '../commands/remove-factor.ts';
import { finishTotpSetup, startTotpSetup } from '../commands/set-up-totp.ts';
import { verifySecondFactor } from '../commands/second-factor-login.ts';
import { hasSecondFactor, methodsOf, summaryOf } from '../domain/factors.ts';
import { needsSecondFactor } from '../../domain/session-role.ts';
import type { FactorNeeds } from '../commands/factor-needs.ts';

export function mfaHandlers(
  needs: FactorNeeds,
): Pick<
  Handlers<typeof identityOperations>,
  'getMfa' | 'beginTotp' | 'confirmTotp' | 'removeTotp' | 'makeRecoveryCodes' | 'verifyMfa' | 'getMfaPasskeyOptions'
> {
  return {
    async getMfa({ caller }) {
      const [user, loaded] = await Promise.all([needs.users.load(caller.sub), needs.factors.load(caller.sub)]);
      const factors = loaded?.state ?? null;
      const { totp, passkeys, recoveryCodesLeft } = summaryOf(factors);
      return {
        enabled: hasSecondFactor(factors),
        required: user !== null && needsSecondFactor(user.state, needs.adminMfa),
        methods: methodsOf(factors),
        totp: totp && { confirmedAt: totp.confirmedAt.toISOString() },
        passkeys: passkeys.length,
        recoveryCodesLeft,
      };
    },

    async beginTotp({ caller }) {
      const { expiresAt, ...setup } = await startTotpSetup(needs, caller);
      return { ...setup, expiresAt: expiresAt.toISOString() };
    },

    async confirmTotp(request) {
      const { caller, body } = request;
      const { confirmedAt, recoveryCodes } = await finishTotpSetup(needs, caller, body.code, actorOf(request));
      return { confirmedAt: confirmedAt.toISOString(), recoveryCodes };
    },

    async removeTotp(request) {
      await removeAuthenticatorApp(needs, request.caller, actorOf(request));
      return null;
    },

    makeRecoveryCodes: async (request) => ({
      recoveryCodes: await makeRecoveryCodes(needs, request.caller, actorOf(request)),
    }),

    async verifyMfa(request) {
      const { tokens, deviceToken, user } = await verifySecondFactor(
        needs,
        request.body,
        deviceOf(request),
        actorOf(request),
      );
      return { ...tokens, deviceToken, user: showUser(user) };
    },

    getMfaPasskeyOptions: (request) => mfaOptions(needs, request.body.mfaToken, deviceOf(request)),
  };
}
