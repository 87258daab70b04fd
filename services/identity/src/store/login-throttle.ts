import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { changed, identityErrors, unchanged } from '@storefront/contracts';
import { arrayOf, date, defineCollection, number, object, openRepository, text, versioned } from '@storefront/mongo';
import type { Database } from '@storefront/mongo';
import {
  attemptCancelled,
  attemptFailed,
  attemptSucceeded,
  beginAttempt,
  noAttempts,
  windowMs,
} from '../domain/login-throttle.ts';
import type { AttemptOutcome, LoginAttempts } from '../domain/login-throttle.ts';

export const loginAttempts = defineCollection(
  'attempts',
  {
    ...versioned,
    failures: arrayOf(number()),
    underWay: arrayOf(object({ id: text(), since: number() })),
    expiresAt: date(),
  },
  { indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** Limits logins by email, whether the email has an account or not. */
export interface LoginThrottle {
  /**
   * Begins an attempt and returns its id. Waits up to 5 s while too many others with this email are being checked. Throws
   * `too_many_attempts` where the password must not be checked now.
   */
  begin(email: string): Promise<string>;
  /** Returns how many attempts have failed by now. */
  failed(email: string, attempt: string): Promise<number>;
  succeeded(email: string, attempt: string): Promise<void>;
  /** The password was not checked after all. */
  cancelled(email: string, attempt: string): Promise<void>;
  /** Deletes everything about the email. */
  forget(email: string): Promise<void>;
}

interface StoredAttempts extends LoginAttempts {
  readonly id: string;
  readonly expiresAt: Date;
}

const longestWaitMs = 5000;

/** Emails are stored as hashes keyed by `secret`: nobody can read from them which emails were entered. */
export function openLoginThrottle(
  { database, now }: { database: Database; now: () => Date },
  secret: string,
): LoginThrottle {
  const repository = openRepository<StoredAttempts>(loginAttempts, { database });
  const idOf = (email: string) => createHmac('sha256', secret).update(`login\0${email}`).digest('base64url');
  const stored = (id: string, { failures, underWay }: LoginAttempts): StoredAttempts => ({
    id,
    failures,
    underWay,
    expiresAt: new Date(now().getTime() + windowMs),
  });

  async function tryToBegin(id: string, attempt: string): Promise<AttemptOutcome> {
    const { result } = await repository.change<AttemptOutcome>(id, (current) => {
      const outcome = beginAttempt(current ?? noAttempts, attempt, now().getTime());
      return outcome.kind === 'admitted' ? changed(stored(id, outcome.attempts), [], outcome) : unchanged(outcome);
    });
    return result;
  }

  async function end(email: string, attempt: string, change: typeof attemptFailed): Promise<LoginAttempts> {
    const id = idOf(email);
    const { result } = await repository.change(id, (current) =>
      changed(stored(id, change(current ?? noAttempts, attempt, now().getTime())), []),
    );
    return result;
  }

  return {
    async begin(email) {
      const id = idOf(email);
      const attempt = randomUUID();
      const deadline = Date.now() + longestWaitMs;
      for (let round = 1; ; round += 1) {
        const outcome = await tryToBegin(id, attempt);
        if (outcome.kind === 'admitted') return attempt;
        if (outcome.kind === 'wait')
          throw identityErrors.tooManyAttempts().with({ retryAfterSeconds: outcome.seconds });
        if (Date.now() > deadline) throw identityErrors.tooManyAttempts().with({ retryAfterSeconds: 1 });
        // The pauses grow with the time already waited, so that a long queue does not load the database.
        await wait(10 + Math.random() * Math.min(20 * round, 200));
      }
    },
    failed: async (email, attempt) => (await end(email, attempt, attemptFailed)).failures.length,
    async succeeded(email, attempt) {
      await end(email, attempt, attemptSucceeded);
    },
    async cancelled(email, attempt) {
      await end(email, attempt, attemptCancelled);
    },
    async forget(email) {
      await repository.collection.deleteOne({ _id: idOf(email) });
    },
  };
}
