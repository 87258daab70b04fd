import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Codes } from '../domain/ports.ts';
import type { Purpose } from '../domain/user.ts';
import { seal } from './seal.ts';

/**
 * Six digits each. `secret` keys the hash that is kept; `sealingKey` is shared with the service that mails the codes, and
 * with nobody else.
 */
export function createCodes(secret: string, sealingKey: Uint8Array): Codes {
  // Bound to what it is for: the hash of one purpose, user or registration is none of another.
  const hash = (user: { id: string; registration: string }, purpose: Purpose, digits: string) =>
    createHmac('sha256', secret).update(`code\0${purpose}\0${user.id}\0${user.registration}\0${digits}`).digest();
  return {
    async fresh() {
      const digits = String(randomInt(1_000_000)).padStart(6, '0');
      return {
        id: randomUUID(),
        sealed: await seal({ code: digits }, sealingKey),
        hashFor: (user, purpose) => hash(user, purpose, digits).toString('base64url'),
      };
    },
    matches(user, purpose, digits) {
      const kept = Buffer.from(user.codes[purpose]?.hash ?? '', 'base64url');
      const given = hash(user, purpose, digits);
      return kept.length === given.length && timingSafeEqual(kept, given);
    },
  };
}
