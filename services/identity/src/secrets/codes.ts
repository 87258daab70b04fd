import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { NewCode } from '../domain/code.ts';
import type { CodePurpose, User } from '../domain/user.ts';
import { seal } from './seal.ts';

/** One-time codes of six digits. */
export interface Codes {
  create(): Promise<NewCode>;
  /** Whether the digits are those of the user's code; takes the same time for right and wrong ones. */
  matches(user: User, purpose: CodePurpose, digits: string): boolean;
}

/** `secret` keys the stored hashes; `sealingKey` is shared only with the service that mails the codes. */
export function createCodes(secret: string, sealingKey: Uint8Array): Codes {
  // Bound to purpose, user and registration, so that the hash of one is never valid for another.
  const hash = (user: { id: string; registration: string }, purpose: CodePurpose, digits: string) =>
    createHmac('sha256', secret).update(`code\0${purpose}\0${user.id}\0${user.registration}\0${digits}`).digest();
  return {
    async create() {
      const digits = String(randomInt(1_000_000)).padStart(6, '0');
      return {
        id: randomUUID(),
        sealed: await seal({ code: digits }, sealingKey),
        hashFor: (user, purpose) => hash(user, purpose, digits).toString('base64url'),
      };
    },
    matches(user, purpose, digits) {
      const stored = Buffer.from(user.codes[purpose]?.hash ?? '', 'base64url');
      const entered = hash(user, purpose, digits);
      return stored.length === entered.length && timingSafeEqual(stored, entered);
    },
  };
}
