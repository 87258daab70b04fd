import { hash, verify } from '@node-rs/argon2';
import { commonErrors, type PasswordRules } from '@storefront/contracts';
import { dictionary } from '@zxcvbn-ts/language-common';
import pLimit from 'p-limit';

/** Hashes of passwords, by argon2id. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Returns false where there is no hash, after the same time as with a hash. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

// The library uses argon2id. These are the first values that OWASP recommends for it: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const concurrency = 4;
const longestQueue = 64;

/** Hashes four passwords at a time. Throws `overloaded` where 64 others are already waiting. */
export async function createPasswords(): Promise<Passwords> {
  const limit = pLimit(concurrency);
  const queued = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= longestQueue) throw commonErrors.overloaded().with({ retryAfterSeconds: 2 });
    return limit(work);
  };
  // Where there is no hash, the password is compared with this one, so that the check takes the same time.
  const substitute = await hash(crypto.randomUUID(), cost);
  return {
    hash: async (password) => queued(() => hash(password, cost)),
    verify: async (known, password) =>
      queued(async () => (await verify(known ?? substitute, password)) && known !== null),
  };
}

/**
 * Passwords need at least `minLength` characters. The 18,000 most common passwords are refused, in upper and lower
 * case.
 */
export function createPasswordRules(minLength: number): PasswordRules {
  const common = new Set(dictionary['passwords-common'].filter((password) => password.length >= minLength));
  return { minLength, isCommon: (password) => common.has(password.toLowerCase()) };
}
