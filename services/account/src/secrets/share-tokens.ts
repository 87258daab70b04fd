import { hash, randomBytes } from 'node:crypto';

/** The secrets of links to wishlists. */
export interface ShareTokens {
  /** 256 random bits as text. */
  create(): string;
  /** What is stored of a token: nobody can make the link from it. */
  hash(token: string): string;
}

export const shareTokens: ShareTokens = {
  create: () => randomBytes(32).toString('base64url'),
  hash: (token) => hash('sha256', token, 'base64url'),
};
