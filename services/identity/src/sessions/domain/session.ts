import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { proof } from '../../domain/caller.ts';

/**
 * An exchange of a refresh token that can be answered once more, since a client may have lost the answer or have two
 * tabs.
 */
const rotation = z.object({
  /** Hash of the changing part of the token that was exchanged. */
  from: z.string(),
  at: z.date(),
  /** The `User-Agent` that exchanged the token. */
  device: z.string().nullable(),
  /** The new pair of tokens, encrypted with a key made of the old refresh token. */
  sealedPair: z.string(),
});
export type Rotation = StateOf<typeof rotation>;

/** One device that is logged in, and its last proofs. */
export const storedSession = proof.extend({
  id: z.string(),
  userId: z.string(),
  /** The user's token version when the session began. If the user gets a higher version, the session has ended. */
  ver: z.int(),
  /** Hash of the constant part of the refresh token. By this hash, the session of an old token is found, too. */
  family: z.string(),
  /** Hash of the part of the refresh token that changes with every use. */
  secret: z.string(),
  device: z.string().nullable(),
  ip: z.string().nullable(),
  createdAt: z.date(),
  lastUsedAt: z.date(),
  expiresAt: z.date(),
  /**
   * When the session was ended. Its refresh tokens are refused from then on. The revocation of its access tokens may
   * not be stored yet.
   */
  endedAt: z.date().nullable(),
  /**
   * The last exchange of the session's refresh token. Null before the first exchange, and after it was answered a
   * second time.
   */
  rotation: rotation.nullable(),
  /** Whether the refresh token is in the cookie of the console. Sessions of clients leave it out. */
  inCookie: z.boolean().optional(),
});
export type Session = StateOf<typeof storedSession>;

const rotationGraceMs = 20_000;

/**
 * Whether the exchange may be answered once more to a client that sends the same refresh token, with the hash `secret`.
 * The client must be the same kind of device, and `now` less than 20 s before or after `at`. The time `at` may come
 * from another instance's clock, so clocks that differ make the 20 s longer or shorter.
 */
export function mayAnswerAgain(
  rotation: Rotation | null,
  { secret, device }: { readonly secret: string; readonly device: string | null },
  now: Date,
): rotation is Rotation {
  if (rotation?.from !== secret || kindOf(rotation.device) !== kindOf(device)) return false;
  return Math.abs(now.getTime() - rotation.at.getTime()) < rotationGraceMs;
}

/** A `User-Agent` without its version numbers, which stays the same when a browser is updated. */
function kindOf(device: string | null): string {
  return device?.replaceAll(/[\d._]+/g, '') ?? '';
}

/**
 * Who sends a refresh token. `client`: a program that keeps it itself. `console`: the console, from its cookie. `keeping`:
 * the console, which has just logged in as a client and now has its session kept in the cookie.
 */
export type TokenHolder = 'client' | 'console' | 'keeping';

/** Whether a session takes its refresh token from this holder. A token of the cookie is worth nothing elsewhere. */
export function takesTokenOf({ inCookie = false }: Pick<Session, 'inCookie'>, holder: TokenHolder): boolean {
  return inCookie === (holder === 'console');
}

/** Whether a session of the console was left alone for too long. */
export function isIdle(
  { inCookie = false, lastUsedAt }: Pick<Session, 'inCookie' | 'lastUsedAt'>,
  { consoleIdleSeconds }: Pick<TokenLifetimes, 'consoleIdleSeconds'>,
  now: Date,
): boolean {
  return inCookie && now.getTime() - lastUsedAt.getTime() > consoleIdleSeconds * 1000;
}

/** The lifetimes of tokens and sessions. */
export interface TokenLifetimes {
  readonly accessSeconds: number;
  /** The lifetime of a refresh token that is not used. */
  readonly refreshSeconds: number;
  /** The lifetime of a session, however often its tokens are refreshed. */
  readonly sessionSeconds: number;
  /** After so long without a refresh a session of the console ends. */
  readonly consoleIdleSeconds: number;
}

/** The data about a session in an export: everything except ids, secrets and their hashes. */
export function exportedSession({ device, ip, createdAt, lastUsedAt, expiresAt }: Session): object {
  return { device, ip, createdAt, lastUsedAt, expiresAt };
}
