import { identityErrors, type identityOperations } from '@storefront/contracts';
import { actorOf, type Handlers } from '@storefront/http';
import { logIn } from '../commands/log-in.ts';
import { logOut } from '../../sessions/commands/log-out.ts';
import { refreshTokens } from '../../sessions/commands/refresh-tokens.ts';
import { deviceOf, setRevokedHeader } from '../../routes/headers.ts';
import { refuseInRoundedTime } from '../../routes/rounded-time.ts';
import { showUser } from '../../routes/show-user.ts';

type Parts = Parameters<typeof logIn>[0] & Parameters<typeof refreshTokens>[0];

export function loginHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'logIn' | 'refreshTokens' | 'logOut'> {
  return {
    async logIn(request) {
      const { deviceToken: known = null, ...credentials } = request.body;
      const device = deviceOf(request, known);
      const actor = actorOf(request);
      const { tokens, deviceToken, user } = await refuseInRoundedTime(() => logIn(parts, credentials, device, actor));
      return { ...tokens, deviceToken, user: showUser(user) };
    },

    async refreshTokens(request, reply) {
      const refreshed = await refreshTokens(parts, request.body.refreshToken, actorOf(request));
      if (refreshed.kind === 'refreshed') return refreshed.tokens;
      if (refreshed.revocation) setRevokedHeader(reply, refreshed.revocation);
      throw identityErrors.invalidRefreshToken();
    },

    async logOut(request, reply) {
      const { revokedAt, revocation } = await logOut(parts, request.caller, actorOf(request));
      setRevokedHeader(reply, revocation);
      return { revoked: true, revokedAt: revokedAt.toISOString() };
    },
  };
}
