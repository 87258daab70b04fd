import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** The session of a request. */
export interface CallerSession {
  /** The user's id. */
  readonly sub: string;
  /** The session's id. */
  readonly sid: string;
  /** The user's token version when the token was signed. */
  readonly ver: number;
}

/** The data that a request shows about the device that sent it. */
export interface Device {
  readonly device: string | null;
  readonly ip: string | null;
  /** Identifies a device that has logged in before; null where the request has no such token. */
  readonly deviceToken: string | null;
}

/** What a session has proved, and when. */
export const proof = z.object({
  authenticatedAt: z.date(),
  /** Null where the session has proved no second factor. */
  secondFactorAt: z.date().nullable(),
});
export type Proof = StateOf<typeof proof>;
