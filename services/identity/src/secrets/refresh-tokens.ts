import { hash, randomBytes } from 'node:crypto';
import type { RefreshTokens } from '../domain/ports.ts';

const prefix = 'rt_';
const familyBytes = 16;
const secretBytes = 32;

/**
 * Refresh tokens: `rt_`, then the family (16 random bytes, the same for the whole session) and the secret (32, new with
 * every use) in base64url. Only hashes are kept. The family finds the session of a token that was rotated long ago, and
 * nobody can end a session by guessing.
 */
export const refreshTokens: RefreshTokens = {
  create: () => compose(randomBytes(familyBytes)),
  rotate: (token) => compose(bytesOf(token).subarray(0, familyBytes)),
  read(token) {
    const bytes = bytesOf(token);
    const isWellFormed = token.startsWith(prefix) && bytes.length === familyBytes + secretBytes;
    return isWellFormed ? kept(bytes) : null;
  },
};

function compose(family: Buffer) {
  const bytes = Buffer.concat([family, randomBytes(secretBytes)]);
  return { token: prefix + bytes.toString('base64url'), ...kept(bytes) };
}

function kept(bytes: Buffer) {
  return {
    family: hash('sha256', bytes.subarray(0, familyBytes), 'base64url'),
    secret: hash('sha256', bytes.subarray(familyBytes), 'base64url'),
  };
}

function bytesOf(token: string): Buffer {
  return Buffer.from(token.slice(prefix.length), 'base64url');
}
