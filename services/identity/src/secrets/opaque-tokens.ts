import { hash, randomBytes } from 'node:crypto';

/** Tokens of 256 random bits, of which only the hash is stored. */
export interface OpaqueTokens {
  create(): { token: string; hash: string };
  hashOf(token: string): string;
}

/** `prefix` shows what a token is for. */
export function createOpaqueTokens(prefix: string): OpaqueTokens {
  const hashOf = (token: string) => hash('sha256', token, 'base64url');
  return {
    hashOf,
    create() {
      const token = `${prefix}_${randomBytes(32).toString('base64url')}`;
      return { token, hash: hashOf(token) };
    },
  };
}
