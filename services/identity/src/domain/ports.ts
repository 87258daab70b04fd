import type { AccessTokenSigner } from '@storefront/access-token';
import type { Aggregates } from '@storefront/outbox';
import type { Decision } from '@storefront/outbox/decision';
import type { FreshCode } from './code.ts';
import type { Erasure, Export } from './data-request.ts';
import type { PasswordRules } from './password-policy.ts';
import type { Session } from './session.ts';
import type { Purpose, User } from './user.ts';

/** What the domain needs of the world: given by `service.ts`, by the store and by `secrets/`. */
export interface Identity {
  readonly now: () => Date;
  readonly newId: (prefix: 'user' | 'sess' | 'exp') => string;
  readonly rules: PasswordRules & {
    /** How long an access token lives. */
    readonly accessSeconds: number;
    /** How long a refresh token lives that nobody uses. */
    readonly refreshSeconds: number;
  };
  readonly emails: Emails;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly erasures: Erasures;
  readonly exports: Aggregates<Export>;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly refreshTokens: RefreshTokens;
  readonly accessTokens: AccessTokenSigner;
}

/** Whose an email is: the one place that makes it unique. */
export interface Emails {
  ownerOf(email: string): Promise<string | null>;
  /** Takes the email for this user unless somebody has it; answers whose it is then. */
  claim(email: string, userId: string): Promise<string>;
  /** Frees the email if it is this user's. */
  release(email: string, userId: string): Promise<void>;
}

export interface Users extends Aggregates<User> {
  /**
   * Counts a try of the code, then answers the user as of then; null where there is no code to try, or it was tried too
   * often, or others were. Whatever comes of the try, it is counted.
   */
  countCodeTry(id: string, purpose: Purpose, now: Date): Promise<User | null>;
  /** Writes as a change does, and nothing that is anybody's. */
  pretendChange(): Promise<void>;
}

export interface Sessions {
  add(session: Session): Promise<void>;
  byFamily(family: string, now: Date): Promise<Session | null>;
  /** Replaces the secret, once: of many with the same one, one succeeds. */
  rotate(session: Session, secret: string, times: { lastUsedAt: Date; expiresAt: Date }): Promise<boolean>;
  /** The session if it is the user's and not of an older token version; from then on it takes no refresh token. */
  end(id: string, userId: string, ver: number, now: Date): Promise<Session | null>;
  remove(id: string): Promise<void>;
  /** Removes what a revocation has killed already. */
  removeBelow(userId: string, ver: number): Promise<void>;
  /** The last thousand, newest first. */
  ofUser(userId: string): Promise<Session[]>;
}

/** The throttle of logins, by email, known or not. */
export interface Turns {
  /** Answers the turn's id; throws 429 where it is not to be looked at. */
  take(email: string): Promise<string>;
  /** Answers how many have failed by now. */
  failed(email: string, turn: string): Promise<number>;
  succeeded(email: string, turn: string): Promise<void>;
  giveBack(email: string, turn: string): Promise<void>;
  forget(email: string): Promise<void>;
}

export interface Erasures extends Aggregates<Erasure> {
  /** Changes the user and begins the erasure unless it is under way: both or neither. */
  begin<Result>(erasure: Erasure, decide: (current: User | null) => Decision<User, Result>): Promise<Result>;
  /** Keeps until then that the tokens of somebody who is gone below `ver` are dead. */
  keepRevoked(erased: { readonly id: string; readonly ver: number; readonly until: Date }): Promise<void>;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

export interface Codes {
  fresh(): Promise<FreshCode>;
  /** In constant time. */
  matches(user: User, purpose: Purpose, digits: string): boolean;
}

export interface RefreshTokens {
  create(): RefreshToken;
  /** A new secret in the same family. */
  rotate(token: string): RefreshToken;
  /** What is kept of a token; null where it is not of the right form. */
  read(token: string): Omit<RefreshToken, 'token'> | null;
}

interface RefreshToken {
  readonly token: string;
  readonly family: string;
  readonly secret: string;
}
