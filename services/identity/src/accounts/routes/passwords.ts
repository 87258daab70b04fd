import type { identityOperations } from '@storefront/contracts';
import { actorOf, seedOf, type Handlers } from '@storefront/http';
import { changePassword } from '../commands/change-password.ts';
import { forgotPassword } from '../commands/forgot-password.ts';
import { resetPassword } from '../commands/reset-password.ts';
import { passwordErrors } from '../../domain/password-policy.ts';
import { deviceOf, setRevokedHeader } from '../../routes/headers.ts';
import { inRoundedTime, refuseInRoundedTime } from '../../routes/rounded-time.ts';

type Parts = Parameters<typeof forgotPassword>[0] &
  Parameters<typeof resetPassword>[0] &
  Parameters<typeof changePassword>[0];

export function passwordHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'forgotPassword' | 'resetPassword' | 'changePassword'> {
  // The commands check once more when they know the owner's names.
  const check = ({ newPassword }: { readonly newPassword?: string | undefined }) =>
    newPassword === undefined ? [] : passwordErrors('/newPassword', newPassword, {}, parts.passwordRules);

  return {
    async forgotPassword(request) {
      const { email } = request.body;
      const begun = await inRoundedTime(() => forgotPassword(parts, email, actorOf(request), seedOf(request)));
      return { status: 'accepted', recoveryId: begun.recoveryId, expiresAt: begun.expiresAt.toISOString() };
    },

    resetPassword: {
      check,
      async handle(request, reply) {
        const { body } = request;
        const reset = () => resetPassword(parts, body, actorOf(request));
        const { revokedAt, revocation } = await refuseInRoundedTime(reset);
        setRevokedHeader(reply, revocation);
        return { revoked: true, revokedAt: revokedAt.toISOString() };
      },
    },

    changePassword: {
      check,
      async handle(request, reply) {
        const { caller, body } = request;
        const device = deviceOf(request);
        const { tokens, revocation } = await changePassword(parts, caller, body, device, actorOf(request));
        setRevokedHeader(reply, revocation);
        return tokens;
      },
    },
  };
}
