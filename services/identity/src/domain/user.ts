import type { identityHttp } from '@storefront/contracts';

/** What a business says about itself when it applies for a trade account, and the history of the application. */
export interface TradeApplication {
  readonly businessName: string;
  readonly businessAddress: string;
  readonly referralCode: string | null;
  readonly vatNumber: string | null;
  readonly companyRegistration: string | null;
  readonly submittedAt: Date;
  readonly timeline: readonly TimelineEntry[];
}

export type TradeAction = 'submit' | 'approve' | 'reject' | 'request-info' | 'suspend' | 'reinstate';

interface TimelineEntry {
  readonly at: Date;
  /** The id of the administrator, or of the applicant. */
  readonly by: string;
  readonly action: TradeAction;
  readonly reason: string | null;
}

/** What a code is for: to verify an email, or to set a new password. */
export type CodePurpose = 'verify' | 'reset';

/** A one-time code as it is stored: only its keyed hash. */
export interface OneTimeCode {
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: Date;
  /** How often it was tried, right or wrong. */
  readonly attempts: number;
}

/** A session that was ended by itself; kept until its last access token has expired. */
interface EndedSession {
  readonly id: string;
  readonly until: Date;
}

/** Somebody with an account. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly role: identityHttp.Role;
  readonly status: identityHttp.UserStatus;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  readonly passwordHash: string;
  readonly emailVerifiedAt: Date | null;
  /** The id of the registration that is in force: a code of an earlier one is not valid any more. */
  readonly registration: string;
  readonly codes: Readonly<Record<CodePurpose, OneTimeCode | null>>;
  /** When codes were sent within the last hour. */
  readonly codesSent: Readonly<Record<CodePurpose, readonly Date[]>>;
  /** When codes were tried since the last right one; newest first, at most as many as an hour allows. */
  readonly codeTries: readonly Date[];
  /** The registrations of this email by others about which the owner got a mail within the last hour. */
  readonly attemptsTold: readonly { readonly registration: string; readonly at: Date }[];
  /** When the owner last got a mail about failed logins. */
  readonly throttleTold: Date | null;
  /** Tokens of a lower version are revoked. */
  readonly tokenVersion: number;
  readonly tokensRevokedAt: Date | null;
  readonly endedSessions: readonly EndedSession[];
  readonly trade: TradeApplication | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a user enters to register, with the password as a hash. */
export interface Applicant {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  readonly passwordHash: string;
}

/** A new consumer whose email is not verified yet. */
export function newUser(id: string, applicant: Applicant, registration: string, now: Date): User {
  return {
    id,
    email: applicant.email,
    role: 'retail',
    status: 'unverified',
    firstName: applicant.firstName,
    lastName: applicant.lastName,
    phone: applicant.phone,
    passwordHash: applicant.passwordHash,
    emailVerifiedAt: null,
    registration,
    codes: { verify: null, reset: null },
    codesSent: { verify: [], reset: [] },
    codeTries: [],
    attemptsTold: [],
    throttleTold: null,
    tokenVersion: 1,
    tokensRevokedAt: null,
    endedSessions: [],
    trade: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** A new administrator. The email counts as verified, since the operator of the service has named it. */
export function newAdministrator(
  id: string,
  { email, passwordHash }: Pick<Applicant, 'email' | 'passwordHash'>,
  registration: string,
  now: Date,
): User {
  const applicant = { email, firstName: 'Store', lastName: 'Administrator', phone: null, passwordHash };
  return { ...newUser(id, applicant, registration, now), role: 'admin', status: 'active', emailVerifiedAt: now };
}

/** The fields about a person that events carry. */
export function personOf(user: User): { email: string; firstName: string; lastName: string } {
  return { email: user.email, firstName: user.firstName, lastName: user.lastName };
}
