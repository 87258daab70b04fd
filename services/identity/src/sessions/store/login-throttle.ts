import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { changed, identityErrors, unchanged, type StateOf } from '@storefront/contracts';
import {
  collectionOf,
  defineCollection,
  openRepository,
  versioned,
  type Database,
  type Loaded,
} from '@storefront/mongo';
import { z } from 'zod';
import {
  allFailures,
  attemptCancelled,
  attemptFailed,
  attemptSucceeded,
  beginAttempt,
  noAttempts,
  storedAttempts,
  waitForAllSeconds,
  windowMs,
  type AttemptOutcome,
  type LoginAttempts,
} from '../domain/login-throttle.ts';

/** The login attempts with one email from one client. */
const attemptsOfClient = storedAttempts.extend({
  id: z.string(),
  /** A keyed hash of the email only, without the client. */
  account: z.string(),
  expiresAt: z.date(),
});
type AttemptsOfClient = StateOf<typeof attemptsOfClient>;

export const loginAttempts = defineCollection(
  'attempts',
  { ...versioned, ...attemptsOfClient.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['account'], because: 'a new password forgets the failures of all clients' }],
    },
    indexes: {
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
      account: { keys: { account: 1 } },
    },
  },
);

/** The failed logins with one email from all clients, one document for each 15 minutes. */
export const loginFailures = defineCollection(
  'login_failures',
  { ...allFailures.shape, account: z.string(), expiresAt: z.date() },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['account'], because: 'a new password forgets the failures of all clients' }],
    },
    indexes: {
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
      account: { keys: { account: 1 } },
    },
  },
);

/** The email whose password is checked, and the client that enters it. */
interface LoginClient {
  readonly email: string;
  /** The client's device if it has logged in before, else the client's network. */
  readonly client: string;
  /** Whether the client has logged in to the account within 30 days. */
  readonly isKnown: boolean;
}

interface LoginAttempt extends LoginClient {
  readonly id: string;
  /** What the client's attempts were when this one began, so that its end needs no read. */
  readonly attempts: Loaded<AttemptsOfClient>;
}

/** The outcome of beginning an attempt, with what was stored of one that is admitted. */
type Begun =
  | Exclude<AttemptOutcome, { kind: 'admitted' }>
  | { readonly kind: 'admitted'; readonly state: AttemptsOfClient };

/** Limits logins by email and client, whether the email has an account or not. */
export interface LoginThrottle {
  /**
   * Begins an attempt. Waits up to 5 s while too many other attempts of this client are being checked. Throws
   * `too_many_attempts` where the password must not be checked now.
   */
  begin(client: LoginClient): Promise<LoginAttempt>;
  /** Ends a failed attempt. Returns how many attempts of this client have failed within 15 minutes. */
  failed(attempt: LoginAttempt): Promise<number>;
  succeeded(attempt: LoginAttempt): Promise<void>;
  /** Ends an attempt whose password was not checked. */
  cancelled(attempt: LoginAttempt): Promise<void>;
  /** Deletes everything about the email. */
  forget(email: string): Promise<void>;
}

const longestWaitMs = 5000;

/** Emails and addresses are stored as hashes keyed by `secret`. */
export function openLoginThrottle(
  { database, now }: { database: Database; now: () => Date },
  secret: string,
): LoginThrottle {
  const repository = openRepository<AttemptsOfClient>(loginAttempts, { database });
  const failures = collectionOf(database, loginFailures);
  const keyed = (name: string) => createHmac('sha256', secret).update(name).digest('base64url');
  const accountOf = (email: string) => keyed(`login\0${email}`);
  const idOf = ({ email, client }: LoginClient) => keyed(`login\0${email}\0${client}`);
  const windowOf = (email: string) => `${accountOf(email)} ${Math.floor(now().getTime() / windowMs)}`;
  const stored = (client: LoginClient, { failures: failed, underWay }: LoginAttempts): AttemptsOfClient => ({
    id: idOf(client),
    account: accountOf(client.email),
    failures: failed,
    underWay,
    expiresAt: new Date(now().getTime() + windowMs),
  });

  function tryToBegin(client: LoginClient, attempt: string) {
    return repository.change<Begun>(idOf(client), (current) => {
      const outcome = beginAttempt(current ?? noAttempts, attempt, now().getTime());
      if (outcome.kind !== 'admitted') return unchanged(outcome);
      const state = stored(client, outcome.attempts);
      return changed(state, [], { kind: 'admitted', state });
    });
  }

  async function end(attempt: LoginAttempt, change: typeof attemptFailed): Promise<LoginAttempts> {
    const { result } = await repository.change(
      idOf(attempt),
      (current) => changed(stored(attempt, change(current ?? noAttempts, attempt.id, now().getTime())), []),
      attempt.attempts,
    );
    return result;
  }

  async function countForAll(email: string): Promise<void> {
    const at = now().getTime();
    await failures.updateOne(
      { _id: windowOf(email) },
      {
        $inc: { count: 1 },
        $max: { last: at },
        $setOnInsert: { account: accountOf(email), expiresAt: new Date(at + 2 * windowMs) },
      },
      { upsert: true },
    );
  }

  return {
    async begin(client) {
      const all = await failures.findOne({ _id: windowOf(client.email) });
      const seconds = all && !client.isKnown ? waitForAllSeconds(all, now().getTime()) : 0;
      if (seconds > 0) throw identityErrors.tooManyAttempts().with({ retryAfterSeconds: seconds });
      const id = randomUUID();
      const deadline = Date.now() + longestWaitMs;
      for (let round = 1; ; round += 1) {
        const { result: outcome, version } = await tryToBegin(client, id);
        if (outcome.kind === 'admitted') return { ...client, id, attempts: { state: outcome.state, version } };
        if (outcome.kind === 'wait')
          throw identityErrors.tooManyAttempts().with({ retryAfterSeconds: outcome.seconds });
        if (Date.now() > deadline) throw identityErrors.tooManyAttempts().with({ retryAfterSeconds: 1 });
        // The pauses grow with the time already waited, so that a long queue does not load the database.
        await wait(10 + Math.random() * Math.min(20 * round, 200));
      }
    },
    async failed(attempt) {
      await countForAll(attempt.email);
      return (await end(attempt, attemptFailed)).failures.length;
    },
    async succeeded(attempt) {
      await end(attempt, attemptSucceeded);
    },
    async cancelled(attempt) {
      await end(attempt, attemptCancelled);
    },
    async forget(email) {
      const account = accountOf(email);
      await Promise.all([repository.collection.deleteMany({ account }), failures.deleteMany({ account })]);
    },
  };
}
