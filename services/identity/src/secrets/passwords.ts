import { hash, verify } from '@node-rs/argon2';
import { commonErrors } from '@storefront/contracts';
import { dictionary } from '@zxcvbn-ts/language-common';
import pLimit from 'p-limit';
import type { PasswordRules } from '../domain/password-policy.ts';

/** Hashes of passwords, by argon2id. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** False without a hash, after the same time as with one. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

// OWASP's first recommendation for argon2id, which this library uses: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const concurrency = 4;
const longestQueue = 64;

/** Hashes four passwords at a time; throws `overloaded` where 64 others are waiting. */
export async function createPasswords(): Promise<Passwords> {
  const limit = pLimit(concurrency);
  const queued = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= longestQueue) throw commonErrors.overloaded().with({ retryAfterSeconds: 2 });
    return limit(work);
  };
  // A password is compared with this hash where there is none, to take the same time.
  const substitute = await hash(crypto.randomUUID(), cost);
  return {
    hash: async (password) => queued(() => hash(password, cost)),
    verify: async (known, password) =>
      queued(async () => (await verify(known ?? substitute, password)) && known !== null),
  };
}

/** At least `minLength` characters, and none of the 18,000 most common passwords, in upper or lower case. */
export function createPasswordRules(minLength: number): PasswordRules {
  const common = new Set(dictionary['passwords-common'].filter((password) => password.length >= minLength));
  return { minLength, isCommon: (password) => common.has(password.toLowerCase()) };
}
