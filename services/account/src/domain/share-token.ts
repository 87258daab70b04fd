import { hash, randomBytes } from 'node:crypto';

/** A link's secret, 256 bits: nobody guesses it. */
export function newShareToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of it: who reads the database can't follow the link. */
export function hashShareToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
