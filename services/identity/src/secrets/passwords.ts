import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { overloaded } from '../domain/errors.ts';
import type { Passwords } from '../domain/ports.ts';

// OWASP's first recommendation for argon2id, which is this library's variant: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const atOnce = 4;
const inQueue = 64;

/** Hashes passwords, a few at once; beyond what can wait for that it throws 503 at once. */
export async function createPasswords(): Promise<Passwords> {
  const limit = pLimit(atOnce);
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= inQueue) throw overloaded();
    return limit(work);
  };
  // What is compared with where there is nobody: it takes as long, and no password fits.
  const nobody = await hash(crypto.randomUUID(), cost);
  return {
    hash: async (password) => inTurn(() => hash(normalize(password), cost)),
    verify: async (known, password) =>
      inTurn(async () => (await verify(known ?? nobody, normalize(password))) && known !== null),
  };
}

// The same text typed on another keyboard may arrive composed differently.
function normalize(password: string): string {
  return password.normalize('NFKC');
}
