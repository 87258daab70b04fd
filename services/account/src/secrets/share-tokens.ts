import { hash, randomBytes } from 'node:crypto';

/** The secret tokens in links to shared wishlists. */
export interface ShareTokens {
  /** Makes a new token: 256 random bits as text. */
  create(): string;
  /** The hash that is stored instead of the token. Nobody can make the link from the hash. */
  hash(token: string): string;
}

export const shareTokens: ShareTokens = {
  create: () => randomBytes(32).toString('base64url'),
  hash: (token) => hash('sha256', token, 'base64url'),
};
