import { z } from 'zod';
import { operation, operationsOf } from '../operation.ts';

/** The public keys by which access tokens are verified (RFC 7517). */
export const keySet = z
  .object({
    keys: z.array(
      z.object({
        kty: z.string().meta({ examples: ['OKP'] }),
        crv: z.string().meta({ examples: ['Ed25519'] }),
        x: z.string().meta({ description: 'The public key, base64url.' }),
        kid: z.string().meta({ description: 'The key id; a token names it in its header.' }),
        alg: z.string().meta({ examples: ['EdDSA'] }),
        use: z.string().meta({ examples: ['sig'] }),
      }),
    ),
  })
  .meta({ id: 'KeySet' });

export const keyOperations = operationsOf(
  operation({
    id: 'getKeySet',
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: 'public',
    tags: ['auth'],
    summary: 'Read the public keys of access tokens',
    description: 'A JSON Web Key Set (RFC 7517). A new key is published before it signs.',
    responses: { 200: { body: keySet, headers: { 'Cache-Control': 'For how long it may be cached.' } } },
  }),
);
