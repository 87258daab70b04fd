import { freeFailures, reportFailures } from '../domain/login-throttle.ts';
import type { User } from '../domain/user.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { LoginThrottle } from '../store/login-throttle.ts';
import type { Users } from '../store/users.ts';

export interface PasswordCheckNeeds {
  readonly users: Users;
  readonly loginThrottle: LoginThrottle;
  readonly passwords: Passwords;
  readonly now: () => Date;
}

/**
 * Throws `refusal` unless the password is the user's, and `too_many_attempts` after too many that were not. The user is null
 * where the email has no account; that takes as long.
 */
export async function checkCurrentPassword(
  { users, loginThrottle, passwords, now }: PasswordCheckNeeds,
  email: string,
  user: User | null,
  password: string,
  refusal: () => Error,
): Promise<void> {
  const attempt = await loginThrottle.begin(email);
  let isRight: boolean;
  try {
    isRight = await passwords.verify(user?.passwordHash ?? null, password);
  } catch (error) {
    await loginThrottle.cancelled(email, attempt);
    throw error;
  }
  if (isRight) return loginThrottle.succeeded(email, attempt);
  const failures = await loginThrottle.failed(email, attempt);
  if (user && failures >= freeFailures)
    await users.change(user.id, (current) => reportFailures(current, failures, now()));
  throw refusal();
}
