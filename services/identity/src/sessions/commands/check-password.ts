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
  readonly userId: string | null;
  /** Reads the hash to compare with where there is no account: for example that of a registration that waits for its code. */
  readonly hashWithoutAccount?: () => Promise<string | null>;
}

/** The user, or null where the hash is not of an account, and the hash that the right password has. */
export interface RightPassword {
  readonly user: User | null;
  readonly hash: string;
}

/**
 * Throws `refusal` unless the password is right, and `too_many_attempts` after too many wrong passwords from this
 * client. Wrong passwords from other clients hardly count.
 */
export async function checkPassword(
  needs: PasswordCheckNeeds,
  checked: CheckedPassword,
  password: string,
  device: Device,
  refusal: () => Error,
): Promise<RightPassword> {
  const { users, loginThrottle, knownClients, passwords, now } = needs;
  const { email, userId } = checked;
  const client = await knownClients.find(userId ?? nobodyId, device);
  const attempt = await loginThrottle.begin({ email, ...client });
  let hash: string | null;
  let user: User | null;
  let isRight: boolean;
  try {
    // Read only now: a primary that was just elected may show a former password and token version until it has
    // acknowledged a write, as that of the attempt.
    user = (await users.load(userId ?? nobodyId))?.state ?? null;
    const other = (await checked.hashWithoutAccount?.()) ?? null;
    hash = user?.passwordHash ?? other;
    isRight = await passwords.verify(hash, password);
  } catch (error) {
    await loginThrottle.cancelled(attempt);
    throw error;
  }
  if (isRight && hash !== null) {
    await loginThrottle.succeeded(attempt);
    return { user, hash };
  }
  const failures = await loginThrottle.failed(attempt);
  if (user && failures >= freeFailures)
    await users.change(user.id, (current) => reportFailures(current, failures, now()));
  throw refusal();
}
