import { actingAs, auditRecord, identityErrors, type Actor } from '@storefront/contracts';
import { assertMayLogIn } from '../../domain/admission.ts';
import type { User } from '../../domain/user.ts';
import type { Device } from '../../domain/caller.ts';
import type { OpenedSession } from '../../sessions/sessions.ts';
import type { AccountNeeds } from './account-needs.ts';

/**
 * Logs in by password. A refusal shows the status of the account only after the right password. After the password of a
 * registration, the refusal says that the email is not verified yet.
 */
export async function logIn(
  needs: AccountNeeds,
  { email, password }: { email: string; password: string },
  device: Device,
  actor: Actor,
): Promise<OpenedSession & { user: User }> {
  const userId = await needs.emails.ownerOf(email);
  const object = { type: 'user', id: userId };
  const hashWithoutAccount = async () => {
    const tags = needs.passwordTags.of(email, password);
    return (await needs.registrations.findNewest(email, tags, needs.now()))?.passwordHash ?? null;
  };
  const admitted = await needs.auditLog.notingRefusal(
    async () => {
      const checked = { email, userId, hashWithoutAccount };
      const refusal = identityErrors.invalidCredentials;
      const { user } = await needs.sessions.checkPassword(checked, password, device, refusal);
      if (!user) throw identityErrors.emailNotVerified();
      assertMayLogIn(user);
      return user;
    },
    (refused) => auditRecord(actor, 'login', { object, refused }),
  );
  const opened = await needs.factors.openSessionByOneFactor(admitted, device);
  // Recorded before the answer, so that no tokens are issued without an entry in the audit log.
  await needs.auditLog.record(auditRecord(actingAs(actor, admitted), 'login', { object }));
  return { ...opened, user: admitted };
}
