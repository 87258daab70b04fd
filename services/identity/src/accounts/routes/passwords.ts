import { passwordErrors, type identityOperations } from '@storefront/contracts';
import { actorOf, seedOf, type Handlers } from '@storefront/http';
import type { AccountNeeds } from '../commands/account-needs.ts';
import { changePassword } from '../commands/change-password.ts';
import { forgotPassword } from '../commands/forgot-password.ts';
import { logIn } from '../commands/log-in.ts';
import { resetPassword } from '../commands/reset-password.ts';
import { deviceOf, setRevokedHeader } from '../../routes/headers.ts';
import { inRoundedTime, refuseInRoundedTime } from '../../routes/rounded-time.ts';
import { showUser } from '../../routes/show-user.ts';

export function passwordHandlers(
  needs: AccountNeeds,
): Pick<Handlers<typeof identityOperations>, 'logIn' | 'forgotPassword' | 'resetPassword' | 'changePassword'> {
  // The owner's names are not known here, so the commands check the new password again with these names.
  const check = ({ newPassword }: { readonly newPassword?: string | undefined }) =>
    newPassword === undefined ? [] : passwordErrors('/newPassword', newPassword, {}, needs.passwordRules);

  return {
    async logIn(request) {
      const { deviceToken: known = null, ...credentials } = request.body;
      const device = deviceOf(request, known);
      const actor = actorOf(request);
      const { tokens, deviceToken, user } = await refuseInRoundedTime(() => logIn(needs, credentials, device, actor));
      return { ...tokens, deviceToken, user: showUser(user) };
    },

    async forgotPassword(request) {
      const { email } = request.body;
      const begun = await inRoundedTime(() => forgotPassword(needs, email, actorOf(request), seedOf(request)));
      return { status: 'accepted', recoveryId: begun.recoveryId, expiresAt: begun.expiresAt.toISOString() };
    },

    resetPassword: {
      check,
      async handle(request, reply) {
        const { body } = request;
        const reset = () => resetPassword(needs, body, actorOf(request));
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
        const { tokens, revocation } = await changePassword(needs, caller, body, device, actorOf(request));
        setRevokedHeader(reply, revocation);
        return tokens;
      },
    },
  };
}
