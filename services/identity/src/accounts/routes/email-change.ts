import { http, type identityOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Handlers } from '@storefront/http';
import { deviceOf, setRevokedHeader } from '../../routes/headers.ts';
import { inRoundedTime } from '../../routes/rounded-time.ts';
import { showUser } from '../../routes/show-user.ts';
import { beginEmailChange } from '../commands/change-email.ts';
import { confirmEmailChange } from '../commands/confirm-email-change.ts';

type Parts = Parameters<typeof beginEmailChange>[0] & Parameters<typeof confirmEmailChange>[0];

export function emailChangeHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'changeEmail' | 'confirmEmail'> {
  return {
    async changeEmail(request) {
      const change = { changeId: newIdFor(request, 'emch'), entered: request.body.email };
      const begun = await inRoundedTime(() => beginEmailChange(parts, request.caller, change, actorOf(request)));
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
        parts,
        request.caller,
        { changeId, code },
        deviceOf(request),
        actorOf(request),
      );
      setRevokedHeader(reply, done.revocation);
      return { ...done.tokens, deviceToken: done.deviceToken, user: showUser(done.user) };
    },
  };
}
