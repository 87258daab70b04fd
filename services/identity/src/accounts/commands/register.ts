import { newCode } from './new-code.ts';
import type { CodeCounts } from '../store/code-counts.ts';
import type { SenderBudgets } from '../store/sender-budgets.ts';
import type { Codes } from '../../secrets/codes.ts';
import type { FlowIds } from '../secrets/flow-ids.ts';
import { codeTimes } from '../../domain/code.ts';
import type { TradeDetails } from '../../administration/domain/trade-account.ts';
import { nobodyId, type Applicant } from '../../domain/user.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { Decoys } from '../store/decoys.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import { audited, newId, type Actor } from '@storefront/contracts';
import { newRegistration, purposeFor, reportAttempt } from '../domain/registration.ts';
import type { PasswordTags } from '../secrets/password-tags.ts';
import type { Registrations } from '../store/registrations.ts';

export interface RegisterNeeds {
  readonly registrations: Registrations;
  readonly users: Users;
  readonly emails: Emails;
  readonly decoys: Decoys;
  readonly codeCounts: CodeCounts;
  readonly senderBudgets: SenderBudgets;
  readonly passwords: Passwords;
  readonly passwordTags: PasswordTags;
  readonly codes: Codes;
  readonly flowIds: FlowIds;
  readonly now: () => Date;
}

export type RegistrationForm = Omit<Applicant, 'passwordHash'> & {
  readonly password: string;
  /** Null for a consumer. */
  readonly trade: TradeDetails | null;
};

export interface Registered {
  /** Secret: a code is valid only together with it, or with the password. */
  readonly registrationId: string;
  readonly submittedAt: Date;
  readonly expiresAt: Date;
  readonly resendAfter: Date;
}

/**
 * Keeps a registration and has its code mailed. The result and the work are the same whether the email has an account or
 * not; its owner is told. Throws `too_many_codes` where the address of `actor` has registered the email too often.
 * Repeated with the same `seed`, it changes nothing more.
 */
export async function register(
  needs: RegisterNeeds,
  { password, ...form }: RegistrationForm,
  actor: Actor,
  seed?: string,
): Promise<Registered> {
  const { email } = form;
  await needs.senderBudgets.spend('verify', actor.ip, email);
  const ownerId = await needs.emails.ownerOf(email);
  const owner = (await needs.users.load(ownerId ?? nobodyId))?.state ?? null;
  const purpose = purposeFor(owner, form.trade !== null);
  const isMailed = purpose.kind !== 'none';
  const [passwordHash, code] = await Promise.all([needs.passwords.hash(password), newCode(needs, email, isMailed)]);
  const now = needs.now();
  const { id, digest } = needs.flowIds.create('reg', seed);
  const passwordTag = needs.passwordTags.of(email, password);
  // An email may have been claimed for a user who was never written; its next user continues there.
  const userId = (owner === null ? ownerId : null) ?? newId('user');
  const draft = { ...form, id: digest, userId, passwordHash, passwordTag, purpose };
  const { registration, facts } = newRegistration(draft, code, now);
  const object = { type: 'registration', id: digest };
  const begun = audited('identity', actor, 'registration-begun', { object, about: owner?.id ?? null });
  await needs.registrations.insertNew([{ state: registration, facts: [...facts, begun] }]);
  await tellOwner(needs, isMailed ? nobodyId : (ownerId ?? nobodyId), form.trade ? 'trade' : 'retail');
  return { registrationId: id, submittedAt: now, ...codeTimes(now) };
}

/** Tells the owner, if there is one and it is time; otherwise it writes as much. */
async function tellOwner(
  { users, decoys, now }: RegisterNeeds,
  ownerId: string,
  attempted: 'retail' | 'trade',
): Promise<void> {
  let isTold = false;
  await users.change(ownerId, (current) => {
    const decision = reportAttempt(current, attempted, now());
    isTold = decision.kind !== 'unchanged';
    return decision;
  });
  if (!isTold) await decoys.write();
}
