import { newCode } from './new-code.ts';
import { codeTimes } from '../../domain/code.ts';
import { nobodyId, type Applicant, type TradeDetails } from '../../domain/user.ts';
import { audited, newId, withFacts, type Actor } from '@storefront/contracts';
import { newRegistration, purposeFor, reportAttempt, sendCodeAgain, sendsAgain } from '../domain/registration.ts';
import type { AccountNeeds } from './account-needs.ts';
import { findRegistration, type RegistrationSecret } from './find-registration.ts';

export type RegistrationForm = Omit<Applicant, 'passwordHash'> & {
  readonly password: string;
  /** Null for a consumer. */
  readonly trade: TradeDetails | null;
};

export interface Registered {
  /** Secret: a code is valid only together with this id, or with the password. */
  readonly registrationId: string;
  readonly submittedAt: Date;
  readonly expiresAt: Date;
  readonly resendAfter: Date;
}

/**
 * Keeps a registration and has its code mailed. If the email has an account, the result and the work are the same, but
 * a mail informs that account's owner instead. Throws `too_many_codes` where the IP address of `actor` has registered
 * the email too often. Repeated with the same `seed`, it changes nothing more.
 */
export async function register(
  needs: AccountNeeds,
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
  // An email may have been claimed for a user who was then never written. In this case the new user gets that user's
  // id.
  const userId = (owner === null ? ownerId : null) ?? newId('user');
  const draft = { ...form, id: digest, userId, passwordHash, passwordTag, purpose };
  const { registration, facts } = newRegistration(draft, code, now);
  const object = { type: 'registration', id: digest };
  const begun = audited('identity', actor, 'registration-begun', { object, about: owner?.id ?? null });
  await needs.registrations.insertNew([{ state: registration, facts: [...facts, begun] }]);
  await informOwner(needs, isMailed ? null : ownerId, form.trade ? 'trade' : 'retail');
  return { registrationId: id, submittedAt: now, ...codeTimes(now) };
}

/** Has a new code mailed for the registration that the secret belongs to. */
export async function resendCode(needs: AccountNeeds, secret: RegistrationSecret, actor: Actor): Promise<void> {
  const { registrations, decoys, now } = needs;
  const id = await findRegistration(needs, secret);
  const registration = id === null ? null : ((await registrations.load(id))?.state ?? null);
  if (!registration || !sendsAgain(registration, now())) {
    await decoys.write();
    return;
  }
  const code = await newCode(needs, registration.email, registration.purpose.kind !== 'none');
  await registrations.change(registration.id, (current) =>
    withFacts(
      sendCodeAgain(current, code, now()),
      audited('identity', actor, 'code-requested', { object: { type: 'registration', id: registration.id } }),
    ),
  );
}

/**
 * Has the owner informed by mail that somebody registers their email, at most once an hour. Writes as much where there
 * is no owner or no mail, so that the time of the answer reveals nothing.
 */
async function informOwner(
  { users, decoys, now }: AccountNeeds,
  ownerId: string | null,
  attempted: 'retail' | 'trade',
): Promise<void> {
  let isInformed = false;
  // Changes of one id take turns. So where there is nobody, each has a new id, or it would wait longer than where there
  // is an owner.
  await users.change(ownerId ?? newId('user'), (current) => {
    const decision = reportAttempt(current, attempted, now());
    isInformed = decision.kind !== 'unchanged';
    return decision;
  });
  if (!isInformed) await decoys.write();
}
