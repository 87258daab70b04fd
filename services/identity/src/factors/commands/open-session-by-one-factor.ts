import { identityErrors } from '@storefront/contracts';
import { openSession, type OpenedSession, type SessionNeeds } from '../../sessions/commands/open-session.ts';
import type { Device } from '../../sessions/domain/session.ts';
import type { User } from '../../domain/user.ts';
import { hasSecondFactor, methodsOf } from '../domain/factors.ts';
import { newMfaToken } from '../domain/mfa-token.ts';
import type { OpaqueTokens } from '../secrets/opaque-tokens.ts';
import type { FactorStore } from '../store/factors.ts';
import type { MfaTokens } from '../store/mfa-tokens.ts';

export interface OneFactorNeeds extends SessionNeeds {
  readonly factors: FactorStore;
  readonly mfaTokens: MfaTokens;
  readonly newMfaTokens: OpaqueTokens;
}

/**
 * Logs a device in that has proved one factor, the password or a code from a mail. Everything that logs in by one factor goes
 * through here: throws `mfa_required`, with what completes the login, where the user has a second one.
 */
export async function openSessionByOneFactor(
  needs: OneFactorNeeds,
  user: User,
  device: Device,
): Promise<OpenedSession> {
  const factors = (await needs.factors.load(user.id))?.state ?? null;
  const now = needs.now();
  if (!hasSecondFactor(factors))
    return openSession(needs, user, device, { authenticatedAt: now, secondFactorAt: null });
  const { token, hash } = needs.newMfaTokens.create();
  const waiting = newMfaToken(hash, user, device, now);
  await needs.mfaTokens.add(waiting);
  throw identityErrors.mfaRequired().with({
    members: { mfaToken: token, expiresAt: waiting.expiresAt.toISOString(), methods: methodsOf(factors) },
  });
}
