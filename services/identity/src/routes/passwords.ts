import type { identityOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import { changePassword } from '../commands/change-password.ts';
import { forgotPassword } from '../commands/forgot-password.ts';
import { resetPassword } from '../commands/reset-password.ts';
import { passwordErrors } from '../domain/password-policy.ts';
import { deviceOf, setRevokedHeader } from './headers.ts';
import { inRoundedTime, refuseInRoundedTime } from './rounded-time.ts';

type Parts = Parameters<typeof resetPassword>[0] & Parameters<typeof changePassword>[0];

export function passwordHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'forgotPassword' | 'resetPassword' | 'changePassword'> {
  // The commands check once more when they know the owner's names.
  const check = ({ email, newPassword }: { readonly email?: string; readonly newPassword?: string | undefined }) =>
    newPassword === undefined ? [] : passwordErrors('/newPassword', newPassword, { email }, parts.passwordRules);

  return {
    async forgotPassword({ body }) {
      await inRoundedTime(() => forgotPassword(parts, body.email));
      return { status: 'accepted' };
    },

    resetPassword: {
      check,
      async handle({ body }, reply) {
        const { revokedAt, revocation } = await refuseInRoundedTime(() => resetPassword(parts, body));
        setRevokedHeader(reply, revocation);
        return { revoked: true, revokedAt: revokedAt.toISOString() };
      },
    },

    changePassword: {
      check,
      async handle(request, reply) {
        const { caller, body } = request;
        const { tokens, revocation } = await changePassword(parts, caller.sub, body, deviceOf(request));
        setRevokedHeader(reply, revocation);
        return tokens;
      },
    },
  };
}
