import { fact, identityEvents } from '@storefront/contracts';
import { changed, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { assertMayLogIn } from './admission.ts';
import { invalidCredentials } from './errors.ts';
import type { Identity } from './ports.ts';
import type { Device } from './session.ts';
import { freeFailures, windowMs } from './throttle.ts';
import { openSession } from './tokens.ts';
import type { TokenPair } from './tokens.ts';
import { personOf } from './user.ts';
import type { User } from './user.ts';

/** Logs in by password. What is wrong with an account is told only to who knows its password. */
export async function logIn(
  identity: Identity,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<{ tokens: TokenPair; user: User }> {
  const userId = await identity.emails.ownerOf(email);
  const user = (userId && (await identity.users.load(userId))?.state) || null;
  await checkCurrentPassword(identity, email, user, password, invalidCredentials);
  if (!user) throw invalidCredentials();
  assertMayLogIn(user);
  return { tokens: await openSession(identity, user, device), user };
}

/** Throws `refusal` unless the password is the user's, and 429 after too many that were not. */
export async function checkCurrentPassword(
  identity: Identity,
  email: string,
  user: User | null,
  password: string,
  refusal: () => Error,
): Promise<void> {
  const { turns, passwords, users } = identity;
  const turn = await turns.take(email);
  let right: boolean;
  try {
    right = await passwords.verify(user?.passwordHash ?? null, password);
  } catch (error) {
    await turns.giveBack(email, turn);
    throw error;
  }
  if (right) return turns.succeeded(email, turn);
  const failures = await turns.failed(email, turn);
  if (user && failures >= freeFailures)
    await users.change(user.id, (current) => tellThrottled(current, failures, identity.now()));
  throw refusal();
}

/** The owner hears of failed logins once in a window. */
function tellThrottled(current: User | null, failures: number, now: Date): Decision<User, void> {
  if (!current || current.status === 'erasing') return unchanged(undefined);
  if (current.throttleTold && now.getTime() - current.throttleTold.getTime() < windowMs) return unchanged(undefined);
  const told = fact(identityEvents.loginThrottled, current.id, { ...personOf(current), failures });
  return changed({ ...current, throttleTold: now }, [told], undefined);
}
