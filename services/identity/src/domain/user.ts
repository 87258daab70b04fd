import { http, type identityHttp } from '@storefront/contracts';

/** An id that belongs to no user; looking it up takes as long as looking up a user. */
export const nobodyId = 'user_00000000000000000000000000';

/** The details that a business enters when it applies for a trade account, and the history of the application. */
export interface TradeApplication {
  readonly businessName: string;
  readonly businessAddress: string;
  readonly referralCode: string | null;
  readonly vatNumber: string | null;
  readonly companyRegistration: string | null;
  /** ISO 3166-1 alpha-2. Null until the country is known; an approved business always has a country. */
  readonly country: string | null;
  readonly submittedAt: Date;
  readonly timeline: readonly TimelineEntry[];
}

export type TradeAction =
  | 'submit'
  | 'verify-email'
  | 'resubmit'
  | 'approve'
  | 'reject'
  | 'request-info'
  | 'suspend'
  | 'reinstate';

interface TimelineEntry {
  readonly at: Date;
  /** The id of the administrator or applicant who acted. */
  readonly by: string;
  readonly action: TradeAction;
  readonly reason: string | null;
}

/** A session that was ended separately from the user's others. Kept until its last access token has expired. */
interface EndedSession {
  readonly id: string;
  readonly until: Date;
}

/** The status of an account. `unverified` is left out, since the email of an account is always proved. */
export type AccountStatus = Exclude<identityHttp.UserStatus, 'unverified'>;

/** A person who has an account. */
export interface User extends http.EnteredEmail {
  readonly id: string;
  readonly role: identityHttp.Role;
  readonly status: AccountStatus;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  readonly passwordHash: string;
  /** When the user last proved the email; a registration becomes a user only by such a proof. */
  readonly emailVerifiedAt: Date;
  /** When the owner last got a mail that somebody else tried to register the owner's email. */
  readonly attemptToldAt: Date | null;
  /** When the owner last got a mail about failed logins. */
  readonly throttleTold: Date | null;
  /** Tokens of the user with a lower version are revoked. */
  readonly tokenVersion: number;
  readonly tokensRevokedAt: Date | null;
  readonly endedSessions: readonly EndedSession[];
  readonly trade: TradeApplication | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The data that a user enters to register, with the password as a hash. */
export interface Applicant extends http.EnteredEmail {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  readonly passwordHash: string;
}

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
    passwordHash: applicant.passwordHash,
    emailVerifiedAt: now,
    attemptToldAt: null,
    throttleTold: null,
    tokenVersion: 1,
    tokensRevokedAt: null,
    endedSessions: [],
    trade: null,
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
export function personOf(user: User): { email: string; firstName: string; lastName: string } {
  return { email: user.email, firstName: user.firstName, lastName: user.lastName };
}

/** What an export leaves out: the hash of the password, and what only the handling of mails and tokens needs. */
type NotExported =
  | 'passwordHash'
  | 'attemptToldAt'
  | 'throttleTold'
  | 'tokenVersion'
  | 'tokensRevokedAt'
  | 'endedSessions';

/** The user's data in an export. */
export function exportedUser(user: User): object {
  const { id, role, status, firstName, lastName, phone, emailVerifiedAt, trade, createdAt, updatedAt } = user;
  const email = http.emailAsTyped(user);
  const exported = {
    id,
    email,
    role,
    status,
    firstName,
    lastName,
    phone,
    emailVerifiedAt,
    trade,
    createdAt,
    updatedAt,
  };
  return exported satisfies Record<Exclude<keyof User, NotExported | 'emailTyped'>, unknown>;
}
