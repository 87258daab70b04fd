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

type Parts = Parameters<typeof startTotpSetup>[0] &
  Parameters<typeof removeAuthenticatorApp>[0] &
  Parameters<typeof verifySecondFactor>[0];

export function mfaHandlers(
  parts: Parts,
): Pick<
  Handlers<typeof identityOperations>,
  'getMfa' | 'beginTotp' | 'confirmTotp' | 'removeTotp' | 'makeRecoveryCodes' | 'verifyMfa' | 'getMfaPasskeyOptions'
> {
  return {
    async getMfa({ caller }) {
      const [user, loaded] = await Promise.all([parts.users.load(caller.sub), parts.factors.load(caller.sub)]);
      const factors = loaded?.state ?? null;
      const { totp, passkeys, recoveryCodesLeft } = summaryOf(factors);
      return {
        enabled: hasSecondFactor(factors),
        required: user !== null && needsSecondFactor(user.state, parts.adminMfa),
        methods: methodsOf(factors),
        totp: totp && { confirmedAt: totp.confirmedAt.toISOString() },
        passkeys: passkeys.length,
        recoveryCodesLeft,
      };
    },

    async beginTotp({ caller }) {
      const { expiresAt, ...setup } = await startTotpSetup(parts, caller);
      return { ...setup, expiresAt: expiresAt.toISOString() };
    },

    async confirmTotp(request) {
      const { caller, body } = request;
      const { confirmedAt, recoveryCodes } = await finishTotpSetup(parts, caller, body.code, actorOf(request));
      return { confirmedAt: confirmedAt.toISOString(), recoveryCodes };
    },

    async removeTotp(request) {
      await removeAuthenticatorApp(parts, request.caller, actorOf(request));
      return null;
    },

    makeRecoveryCodes: async (request) => ({
      recoveryCodes: await makeRecoveryCodes(parts, request.caller, actorOf(request)),
    }),

    async verifyMfa(request) {
      const { tokens, deviceToken, user } = await verifySecondFactor(
        parts,
        request.body,
        deviceOf(request),
        actorOf(request),
      );
      return { ...tokens, deviceToken, user: showUser(user) };
    },

    getMfaPasskeyOptions: (request) => mfaOptions(parts, request.body.mfaToken, deviceOf(request)),
  };
}
