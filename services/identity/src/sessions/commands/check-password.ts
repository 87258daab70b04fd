import { freeFailures, reportFailures } from '../domain/login-throttle.ts';
import { nobodyId, type User } from '../../domain/user.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { KnownClients } from '../store/known-clients.ts';
import type { LoginThrottle } from '../store/login-throttle.ts';
import type { Users } from '../../store/users.ts';
import type { Device } from '../../domain/caller.ts';

export interface PasswordCheckNeeds {
  readonly users: Users;
  readonly loginThrottle: LoginThrottle;
  readonly knownClients: KnownClients;
  readonly passwords: Passwords;
  readonly now: () => Date;
}

/** The account whose password is checked. */
export interface CheckedPassword {
  readonly email: string;
  /** Null where the email has no account. The check takes the same time then. */
  readonly user: User | null;
  /**
   * The hash to compare with, if not the user's own: for example the hash of a registration that waits for its code.
   */
  readonly hash?: string | null;
}

/**
 * Throws `refusal` unless the password is right, and `too_many_attempts` after too many wrong passwords from this
 * client. Wrong passwords from other clients hardly count.
 */
export async function checkPassword(
  { users, loginThrottle, knownClients, passwords, now }: PasswordCheckNeeds,
  { email, user, hash = user?.passwordHash ?? null }: CheckedPassword,
  password: string,
  device: Device,
  refusal: () => Error,
): Promise<void> {
  const client = await knownClients.find(user?.id ?? nobodyId, device);
  const attempt = await loginThrottle.begin({ email, ...client });
  let isRight: boolean;
  try {
    isRight = await passwords.verify(hash, password);
  } catch (error) {
    await loginThrottle.cancelled(attempt);
    throw error;
  }
  if (isRight) return loginThrottle.succeeded(attempt);
  const failures = await loginThrottle.failed(attempt);
  if (user && failures >= freeFailures)
    await users.change(user.id, (current) => reportFailures(current, failures, now()));
  throw refusal();
}
