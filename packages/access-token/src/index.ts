export { createAccessTokenSigner, createAccessTokenVerifier, TokenError } from './access-token.ts';
export type {
  AccessClaims,
  AccessTokenSigner,
  AccessTokenVerifier,
  TokenRules,
  VerifiedAccess,
} from './access-token.ts';
export { createInternalTokenIssuer, createInternalTokenVerifier, newInternalKeyPair } from './internal-token.ts';
export type {
  Caller,
  InternalKeyPair,
  InternalTokenIssuer,
  InternalTokenVerifier,
  Principal,
} from './internal-token.ts';
export { algorithm, newSigningKey, publicPart } from './keys.ts';
export type { SigningKey } from './keys.ts';
