import { randomUUID } from 'node:crypto';
import { assertMayLogIn } from './admission.ts';
import { changeOrPretend, claimOrPretend } from './as-much-work.ts';
import { codeTimes } from './code.ts';
import { checkPassword } from './password-policy.ts';
import type { Identity } from './ports.ts';
import { registerRetail, registerTrade, sendAgain } from './registration.ts';
import type { Registration } from './registration.ts';
import type { Device } from './session.ts';
import { openSession } from './tokens.ts';
import type { TokenPair } from './tokens.ts';
import type { TradeDetails } from './trade.ts';
import { tryCode } from './try-code.ts';
import type { Applicant, User } from './user.ts';
import { confirmEmail } from './verification.ts';

type Form = Omit<Applicant, 'passwordHash'> & { readonly password: string };

/**
 * Registers a consumer; what it answers does not depend on whether the email is known. Asked again under the same
 * `name`, it does nothing more.
 */
export async function register(
  identity: Identity,
  form: Form,
  name: string = randomUUID(),
): Promise<{ expiresAt: Date; resendAfter: Date }> {
  checkPassword(form.password, '/password', form, identity.rules);
  const { applicant, registration } = await prepare(identity, form, name);
  await identity.users.change(registration.userId, (current) => registerRetail(current, applicant, registration));
  return codeTimes(registration.now);
}

/** As `register`, for a trade account. */
export async function apply(
  identity: Identity,
  form: Form,
  details: TradeDetails,
  name: string = randomUUID(),
): Promise<{ submittedAt: Date }> {
  const personal = { ...form, businessName: details.businessName };
  checkPassword(form.password, '/password', personal, identity.rules);
  const { applicant, registration } = await prepare(identity, form, name);
  await identity.users.change(registration.userId, (current) =>
    registerTrade(current, applicant, details, registration),
  );
  return { submittedAt: registration.now };
}

// The same work whether the email is known or not: a hash, a code, the email looked up and claimed.
async function prepare(
  identity: Identity,
  { password, ...person }: Form,
  name: string,
): Promise<{ applicant: Applicant; registration: Registration }> {
  const [passwordHash, code] = await Promise.all([identity.passwords.hash(password), identity.codes.fresh()]);
  const userId = await claimOrPretend(identity, person.email);
  return {
    applicant: { ...person, passwordHash },
    registration: { userId, name, code, now: identity.now() },
  };
}

/** Sends another code where one is waited for. */
export async function resend(identity: Identity, email: string): Promise<void> {
  const code = await identity.codes.fresh();
  await changeOrPretend(identity, email, (current) => sendAgain(current, code, identity.now()));
}

/** Proves the email and logs in; a trade account that is not approved yet has its email proved and is refused. */
export async function verify(
  identity: Identity,
  email: string,
  digits: string,
  device: Device,
): Promise<{ tokens: TokenPair; user: User; version: number }> {
  const { user: tried, codeId } = await tryCode(identity, email, 'verify', digits);
  const { result: user, version } = await identity.users.change(tried.id, (current) =>
    confirmEmail(current, codeId, identity.now()),
  );
  assertMayLogIn(user);
  return { tokens: await openSession(identity, user, device), user, version };
}
