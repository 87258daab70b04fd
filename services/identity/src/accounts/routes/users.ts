import { http, notFound, type identityOperations } from '@storefront/contracts';
import { actorOf, ifMatch, newIdFor, sendVersioned, type Handlers } from '@storefront/http';
import { deviceOf, setRevokedHeader } from '../../routes/headers.ts';
import { inRoundedTime } from '../../routes/rounded-time.ts';
import { showUser } from '../../routes/show-user.ts';
import type { AccountNeeds } from '../commands/account-needs.ts';
import { beginEmailChange, confirmEmailChange } from '../commands/change-email.ts';
import { changeProfile } from '../commands/change-profile.ts';
import { revertChanges } from '../commands/revert-changes.ts';

/** The operations by which users read and change their own account. */
export function userHandlers(
  needs: AccountNeeds,
): Pick<Handlers<typeof identityOperations>, 'getMe' | 'changeMe' | 'changeEmail' | 'confirmEmail' | 'revertChanges'> {
  return {
    async getMe(request, reply) {
      const found = await needs.users.load(request.caller.sub);
      if (!found) throw notFound('user');
      return sendVersioned(request, reply, found.version, showUser(found.state));
    },

    async changeMe(request, reply) {
      const { user, version } = await changeProfile(needs, request.caller.sub, request.body, ifMatch(request));
      return sendVersioned(request, reply, version, showUser(user));
    },

    async changeEmail(request) {
      const change = { changeId: newIdFor(request, 'emch'), entered: request.body.email };
      const begun = await inRoundedTime(() => beginEmailChange(needs, request.caller, change, actorOf(request)));
      return {
        emailChangeId: begun.changeId,
        email: http.emailAsTyped(change.entered),
        expiresAt: begun.expiresAt.toISOString(),
        resendAfter: begun.resendAfter.toISOString(),
      };
    },

    async confirmEmail(request, reply) {
      const { emailChangeId: changeId, code } = request.body;
      const done = await confirmEmailChange(
        needs,
        request.caller,
        { changeId, code },
        deviceOf(request),
        actorOf(request),
      );
      setRevokedHeader(reply, done.revocation);
      return { ...done.tokens, deviceToken: done.deviceToken, user: showUser(done.user) };
    },

    async revertChanges(request, reply) {
      const { revokedAt, revocation, undone } = await revertChanges(needs, request.body.token, actorOf(request));
      setRevokedHeader(reply, revocation);
      return { revoked: true, revokedAt: revokedAt.toISOString(), undone };
    },
  };
}
