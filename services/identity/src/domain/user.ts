import { http, identityHttp, reading, readingOf, searchWords, type Reading, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/**
 * An id that belongs to no user; looking it up takes as long as looking up a user. For reads only: changes of one id wait
 * for each other.
 */
export const nobodyId = 'user_00000000000000000000000000';

/** The details that a business enters when it applies for a trade account. */
export const tradeDetails = z.object({
  businessName: z.string(),
  businessAddress: z.string(),
  referralCode: z.string().nullable(),
  vatNumber: z.string().nullable(),
  companyRegistration: z.string().nullable(),
  /** ISO 3166-1 alpha-2. Null until the country is known; an approved business always has a country. */
  country: z.string().nullable(),
});
export type TradeDetails = StateOf<typeof tradeDetails>;

const timelineEntry = z.object({
  at: z.date(),
  /** The id of the administrator or applicant who acted. */
  by: z.string(),
  action: z.enum(['submit', 'verify-email', 'resubmit', 'approve', 'reject', 'request-info', 'suspend', 'reinstate']),
  reason: z.string().nullable(),
});
export type TradeAction = StateOf<typeof timelineEntry>['action'];

const tradeApplication = tradeDetails.extend({ submittedAt: z.date(), timeline: z.array(timelineEntry) });
export type TradeApplication = StateOf<typeof tradeApplication>;

/** The data that a user enters to register, with the password as a hash. */
export const storedApplicant = http.emailForms.extend({
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string().nullable(),
  ...reading,
  passwordHash: z.string(),
});
export type Applicant = StateOf<typeof storedApplicant>;

/** A person who has an account. */
export const storedUser = storedApplicant.extend({
  id: z.string(),
  role: identityHttp.role,
  status: identityHttp.accountStatus,
  /** When the user last proved the email; a registration becomes a user only by such a proof. */
  emailVerifiedAt: z.date(),
  /** When the owner last got a mail that somebody else tried to register the owner's email. */
  attemptToldAt: z.date().nullable(),
  /** When the owner last got a mail about failed logins. */
  throttleTold: z.date().nullable(),
  /** Tokens of the user with a lower version are revoked. */
  tokenVersion: z.int(),
  tokensRevokedAt: z.date().nullable(),
  /** The sessions that were ended separately from the others. Each is kept until its last access token has expired. */
  endedSessions: z.array(z.object({ id: z.string(), until: z.date() })),
  trade: tradeApplication.nullable(),
  /** The words by which administrators find the user. The store sets them at each write. */
  words: z.array(z.string()),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type User = StateOf<typeof storedUser>;

/** A new consumer, who has just proved the email. */
export function newUser(id: string, applicant: Applicant, createdAt: Date, now: Date): User {
  return {
    id,
    ...emailOf(applicant),
    role: 'retail',
    status: 'active',
    firstName: applicant.firstName,
    lastName: applicant.lastName,
    phone: applicant.phone,
    ...readingOf(applicant),
    passwordHash: applicant.passwordHash,
    emailVerifiedAt: now,
    attemptToldAt: null,
    throttleTold: null,
    tokenVersion: 1,
    tokensRevokedAt: null,
    endedSessions: [],
    trade: null,
    words: [],
    createdAt,
    updatedAt: now,
  };
}

/** A new administrator. The email counts as verified, since the operator of the service has named it. */
export function newAdministrator(
  id: string,
  { email, passwordHash }: Pick<Applicant, 'email' | 'passwordHash'>,
  now: Date,
): User {
  const applicant = { email, firstName: 'Store', lastName: 'Administrator', phone: null, passwordHash };
  return { ...newUser(id, applicant, now, now), role: 'admin' };
}

/** The words by which administrators find the user: of the names, the email and the business. */
export function wordsOf(user: User): string[] {
  const { firstName, lastName, email, trade } = user;
  return searchWords([firstName, lastName, email, http.emailAsTyped(user), trade?.businessName ?? ''].join(' '));
}

/** Only the email: in the form that is compared, and as it was typed. */
export function emailOf({ email, emailTyped }: http.EnteredEmail): http.EnteredEmail {
  return { email, ...(emailTyped !== undefined && { emailTyped }) };
}

/** Replaces the email of the user. */
export function withEmail({ emailTyped: _former, ...user }: User, entered: http.EnteredEmail): User {
  return { ...user, ...emailOf(entered) };
}

/** The role of the user's session. An applicant who has to send more details may only complete the application. */
export function sessionRoleOf({ role, status }: Pick<User, 'role' | 'status'>): User['role'] | 'applicant' {
  return status === 'info-requested' ? 'applicant' : role;
}

/** The fields about a person that events carry. */
export function personOf(user: User): Pick<User, 'email' | 'firstName' | 'lastName'> & Reading {
  return { email: user.email, firstName: user.firstName, lastName: user.lastName, ...readingOf(user) };
}

/** What an export leaves out: the password's hash, and what only the handling of mails, tokens and searches needs. */
type NotExported =
  | 'passwordHash'
  | 'attemptToldAt'
  | 'throttleTold'
  | 'tokenVersion'
  | 'tokensRevokedAt'
  | 'endedSessions'
  | 'words';

/** The user's data in an export. */
export function exportedUser(user: User): object {
  const { id, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt } = user;
  const { locale = null, timeZone = null } = user;
  const email = http.emailAsTyped(user);
  const exported = {
    id,
    email,
    role,
    status,
    firstName,
    lastName,
    phone,
    locale,
    timeZone,
    emailVerifiedAt,
    trade,
    createdAt,
    updatedAt,
  };
  return exported satisfies Record<Exclude<keyof User, NotExported | 'emailTyped'>, unknown>;
}
