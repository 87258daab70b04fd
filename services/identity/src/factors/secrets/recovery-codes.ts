import { createHmac, randomInt } from 'node:crypto';
import { factorRules } from '../domain/factors.ts';

/** Recovery codes of 60 random bits. They are stored as keyed hashes that are valid only for their user. */
export interface RecoveryCodes {
  /** Makes ten new codes, in the form that the user sees, and their hashes. */
  create(userId: string): { shown: string[]; hashes: string[] };
  /** `code` must have no hyphens. */
  hashOf(userId: string, code: string): string;
}

// Crockford's base 32, in which no letter looks like a digit.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 12;

export function createRecoveryCodes(secret: string): RecoveryCodes {
  const hashOf = (userId: string, code: string) =>
    createHmac('sha256', secret).update(`recovery\0${userId}\0${code}`).digest('base64url');
  return {
    hashOf,
    create(userId) {
      const codes = Array.from({ length: factorRules.recoveryCodes }, () =>
        Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join(''),
      );
      return {
        shown: codes.map((code) => code.replaceAll(/(.{4})(?!$)/g, '$1-')),
        hashes: codes.map((code) => hashOf(userId, code)),
      };
    },
  };
}
