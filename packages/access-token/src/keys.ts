import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';

/** The one algorithm of all tokens: EdDSA over Ed25519. Verifiers accept no other, whatever a token's header says. */
export const algorithm = 'EdDSA';

export interface SigningKey {
  readonly kid: string;
  /** With its private part: never leaves the issuer. */
  readonly privateJwk: JWK;
}

/** A new Ed25519 key, named by its thumbprint (RFC 7638). */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true });
  const privateJwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(privateJwk);
  return { kid, privateJwk };
}

/** What of a key may be published: a JWK without its private part, fit for a JWKS document. */
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
