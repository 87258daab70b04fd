import {
  actingAs,
  auditRecord,
  identityErrors,
  isId,
  Refusal,
  type Actor,
  type identityHttp,
} from '@storefront/contracts';
import type { z } from 'zod';
import type { OpenedSession } from '../../sessions/sessions.ts';
import { assertMayLogIn } from '../../domain/admission.ts';
import type { User } from '../../domain/user.ts';
import { proveFactor } from './prove-factor.ts';
import type { Device } from '../../domain/caller.ts';
import type { FactorNeeds } from './factor-needs.ts';

/**
 * Logs in by a passkey. The passkey counts as both factors, since it has verified its user. Throws `invalid_passkey`.
 */
export async function logInByPasskey(
  needs: FactorNeeds,
  passkey: z.output<typeof identityHttp.passkeyAnswer>,
  device: Device,
  actor: Actor,
): Promise<OpenedSession & { user: User }> {
  const userId = needs.webauthn.userOf(passkey);
  const owner = userId !== null && isId('user', userId) && (await needs.users.load(userId))?.state;
  if (!owner) throw identityErrors.invalidPasskey();
  const login = { object: { type: 'user', id: owner.id }, details: { how: 'passkey' } };
  const user = await needs.auditLog.notingRefusal(
    async () => {
      await provePasskey(needs, owner, passkey);
      // Read again: a primary that was just elected may show a former state until it has acknowledged a write, as that
      // of the proof.
      const proved = (await needs.users.load(owner.id))?.state;
      if (!proved) throw identityErrors.invalidPasskey();
      assertMayLogIn(proved);
      return proved;
    },
    (refused) => auditRecord(actor, 'login', { ...login, refused }),
  );
  const now = needs.now();
  const opened = await needs.sessions.open(user, device, { authenticatedAt: now, secondFactorAt: now });
  await needs.auditLog.record(auditRecord(actingAs(actor, user), 'login', login));
  return { ...opened, user };
}

async function provePasskey(
  needs: FactorNeeds,
  user: User,
  passkey: z.output<typeof identityHttp.passkeyAnswer>,
): Promise<void> {
  const terms = { challenge: { purpose: 'log-in', boundTo: '' }, mustVerifyUser: true } as const;
  try {
    await proveFactor(needs, user, { passkey }, terms);
  } catch (error) {
    const isWrong = error instanceof Refusal && error.code === identityErrors.invalidFactor.code;
    throw isWrong ? identityErrors.invalidPasskey() : error;
  }
}
