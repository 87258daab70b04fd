import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { seal, unseal } from '../../secrets/seal.ts';

/** The hashes of a refresh token's two parts. */
interface RefreshTokenHashes {
  /** Hash of the part that stays the same for the whole session. */
  readonly family: string;
  /** Hash of the part that changes with every use. */
  readonly secret: string;
}

interface RefreshToken extends RefreshTokenHashes {
  readonly token: string;
}

export interface RefreshTokens {
  create(): RefreshToken;
  /** Makes a token with a new secret in the same family. */
  rotate(token: string): RefreshToken;
  /** Null where the token is malformed. */
  read(token: string): RefreshTokenHashes | null;
  /** Encrypts the pair that the token was exchanged for. Nobody can read the pair without the token. */
  sealPair(token: string, pair: SealedPair): Promise<string>;
  openPair(token: string, sealed: string): Promise<SealedPair>;
}

const pairSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int(),
  refreshExpiresIn: z.int(),
});
type SealedPair = Readonly<z.infer<typeof pairSchema>>;

const prefix = 'rt_';
const familyBytes = 16;
const secretBytes = 32;

/**
 * Refresh tokens: `rt_`, then 16 random bytes for the family and 32 for the secret, in base64url. Only hashes are
 * stored. By its family, the session of a token that was exchanged long ago is found, too. The family is random, so
 * nobody can guess the family of another user's session and end that session.
 */
export const refreshTokens: RefreshTokens = {
  create: () => compose(randomBytes(familyBytes)),
  rotate: (token) => compose(bytesOf(token).subarray(0, familyBytes)),
  read(token) {
    const bytes = bytesOf(token);
    const isWellFormed = token.startsWith(prefix) && bytes.length === familyBytes + secretBytes;
    return isWellFormed ? hashesOf(bytes) : null;
  },
  sealPair: (token, pair) => seal(pair, keyOf(token)),
  openPair: async (token, sealed) => pairSchema.parse(await unseal(sealed, keyOf(token))),
};

function compose(family: Buffer): RefreshToken {
  const bytes = Buffer.concat([family, randomBytes(secretBytes)]);
  return { token: prefix + bytes.toString('base64url'), ...hashesOf(bytes) };
}

// The key is derived from the secret itself, so it can't be derived from the stored hash of the secret.
function keyOf(token: string): Uint8Array {
  const secret = bytesOf(token).subarray(familyBytes);
  return new Uint8Array(hkdfSync('sha256', secret, '', 'storefront pair of tokens', 32));
}

function hashesOf(bytes: Buffer): RefreshTokenHashes {
  return {
    family: hash('sha256', bytes.subarray(0, familyBytes), 'base64url'),
    secret: hash('sha256', bytes.subarray(familyBytes), 'base64url'),
  };
}

function bytesOf(token: string): Buffer {
  return Buffer.from(token.slice(prefix.length), 'base64url');
}
