import { actingAs, audited, auditRecord, identityErrors, withFacts, type Actor } from '@storefront/contracts';
import { assertMayLogIn } from '../../domain/admission.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { User } from '../../domain/user.ts';
import { prove } from '../domain/proved-registration.ts';
import type { Registration } from '../domain/registration.ts';
import type { Device } from '../../domain/caller.ts';
import type { OpenedSession } from '../../sessions/sessions.ts';
import type { AccountNeeds } from './account-needs.ts';
import { findRegistration, type RegistrationSecret } from './find-registration.ts';

/** The result after a right code was entered. */
export interface Verified {
  readonly user: User;
  /** The revoked tokens, where a trade applicant has applied again with another password. Null for a new user. */
  readonly revocation: Revocation | null;
  /** Throws `account_pending_approval` for a trade account: staff have to approve it first. */
  logIn(): Promise<OpenedSession>;
}

/**
 * Makes a user of a registration, which is proved by the code mailed for it. Each try is counted before the code is
 * compared, so that simultaneous tries are limited like consecutive ones. Throws `invalid_code`, whatever is wrong.
 */
export async function verifyEmail(
  needs: AccountNeeds,
  { code, ...secret }: RegistrationSecret & { readonly code: string },
  device: Device,
  actor: Actor,
): Promise<Verified> {
  const { registrations, now } = needs;
  const id = await findRegistration(needs, secret);
  const { user, revocation } = await needs.auditLog.notingRefusal(
    async () =>
      registrations.prove(await checkCode(needs, id, code), (current, used) => {
        const decision = prove(current, used, now());
        const proved = decision.result.user;
        const entered = { object: { type: 'user', id: proved.id } };
        return withFacts(decision, audited('identity', actingAs(actor, proved), 'code-entered', entered));
      }),
    (refused) => auditRecord(actor, 'code-entered', { object: { type: 'registration', id }, refused }),
  );
  await needs.codeCounts.forget(user.email);
  if (revocation) await needs.sessions.removeBelow(user.id, revocation.tokenVersion);
  return {
    user,
    revocation,
    async logIn() {
      assertMayLogIn(user);
      const opened = await needs.factors.openSessionByOneFactor(user, device);
      const login = { object: { type: 'user', id: user.id }, details: { how: 'code' } };
      await needs.auditLog.record(auditRecord(actingAs(actor, user), 'login', login));
      return opened;
    },
  };
}

/** Returns the registration where the code is right; throws `invalid_code` otherwise. */
async function checkCode(
  { registrations, codes, decoys, now }: AccountNeeds,
  id: string | null,
  code: string,
): Promise<Registration> {
  const registration = id === null ? null : await registrations.tryCode(id, now());
  if (id === null) await decoys.write();
  if (!registration || !codes.matches(registration.code, registration.id, 'verify', code))
    throw identityErrors.invalidCode();
  return registration;
}
