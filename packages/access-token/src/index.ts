export {
  createAccessTokenSigner,
  createAccessTokenVerifier,
  TokenError,
  type AccessClaims,
  type AccessTokenSigner,
  type AccessTokenVerifier,
  type TokenRules,
  type VerifiedAccess,
} from './access-token.ts';
export {
  createInternalTokenIssuer,
  createInternalTokenVerifier,
  newInternalKeyPair,
  type Caller,
  type InternalKeyPair,
  type InternalTokenIssuer,
  type InternalTokenVerifier,
  type Principal,
} from './internal-token.ts';
export { algorithm, newSigningKey, publicPart, type SigningKey } from './keys.ts';
