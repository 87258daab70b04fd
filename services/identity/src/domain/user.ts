import type { identityHttp } from '@storefront/contracts';

/** What a business says of itself, and what became of it. */
export interface Trade {
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

/** What a code proves: that an email is somebody's, or that its owner wants another password. */
export type Purpose = 'verify' | 'reset';

/** A one-time code as it is kept: only its keyed hash. */
export interface Code {
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: Date;
  /** How often it was tried, right or wrong. */
  readonly attempts: number;
}

/** A session that was ended by itself; kept until its last access token has run out. */
export interface EndedSession {
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
  /** Names the registration that is in force: a code of an earlier one proves nothing. */
  readonly registration: string;
  readonly codes: Readonly<Record<Purpose, Code | null>>;
  /** When codes were sent within the last hour. */
  readonly codesSent: Readonly<Record<Purpose, readonly Date[]>>;
  /** When codes were tried since the last right one; newest first, at most as many as an hour allows. */
  readonly codeTries: readonly Date[];
  /** The registrations of this email by others that the owner was told of within the last hour. */
  readonly attemptsTold: readonly { readonly registration: string; readonly at: Date }[];
  /** When the owner was last told of failed logins. */
  readonly throttleTold: Date | null;
  /** Tokens of a lower version are dead. */
  readonly tokenVersion: number;
  readonly tokensRevokedAt: Date | null;
  readonly endedSessions: readonly EndedSession[];
  readonly trade: Trade | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What somebody gives of themselves when registering. */
export interface Applicant {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  readonly passwordHash: string;
}

/** A user as nobody has seen it yet; role, status and trade are the caller's to set. */
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

/** How events name a person. */
export function personOf(user: User): { email: string; firstName: string; lastName: string } {
  return { email: user.email, firstName: user.firstName, lastName: user.lastName };
}
