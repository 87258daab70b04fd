import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** The algorithm of all tokens: EdDSA over Ed25519. Verifiers accept no other, even if a token's header names one. */
export const algorithm = 'EdDSA';

export interface SigningKey {
  readonly kid: string;
  /** Contains the private part, so it never leaves the issuer. */
  readonly privateJwk: JWK;
}

/** Generates an Ed25519 key. The key's id (`kid`) is its thumbprint (RFC 7638). */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true });
  const privateJwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(privateJwk);
  return { kid, privateJwk };
}

/** The public part of the key as a JWK, for a JWKS document. */
export function publicPart(key: SigningKey): JWK {
  const { kty, crv, x } = key.privateJwk;
  return {
    ...(kty ? { kty } : {}),
    ...(crv ? { crv } : {}),
    ...(x ? { x } : {}),
    kid: key.kid,
    alg: algorithm,
    use: 'sig',
  };
}
