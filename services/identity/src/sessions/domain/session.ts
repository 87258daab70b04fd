import type { Proof } from '../../domain/caller.ts';

/** One device that is logged in, and what it last proved. */
export interface Session extends Proof {
  readonly id: string;
  readonly userId: string;
  /** The user's token version when the session began: a higher one ends it. */
  readonly ver: number;
  /** Hash of the constant part of the refresh token, by which the session of an old token is found, too. */
  readonly family: string;
  /** Hash of the part of the refresh token that changes with every use. */
  readonly secret: string;
  readonly device: string | null;
  readonly ip: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** When it was ended: its refresh tokens are refused. The revocation of its access tokens may not be stored yet. */
  readonly endedAt: Date | null;
  /** The last exchange of its refresh token; null before the first, and once it was answered a second time. */
  readonly rotation: Rotation | null;
}

/** An exchange of a refresh token that can be answered once more, for the client that lost the answer or has two tabs. */
export interface Rotation {
  /** Hash of the changing part of the token that was exchanged. */
  readonly from: string;
  readonly at: Date;
  /** The `User-Agent` that exchanged it. */
  readonly device: string | null;
  /** The new pair of tokens, encrypted with a key made of the old refresh token. */
  readonly sealedPair: string;
}

const rotationGraceMs = 20_000;

/**
 * Whether the exchange may be answered once more to a client that sends the same refresh token, with the hash `secret`: within
 * 20 s, and to the same kind of device. `at` may be another instance's time, so a clock that is ahead or behind makes the 20 s
 * longer or shorter by the difference; a clock that is 20 s or more behind allows none.
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

/** How long tokens live. */
export interface TokenLifetimes {
  readonly accessSeconds: number;
  /** The life of a refresh token that is not used. */
  readonly refreshSeconds: number;
  /** The life of a session, however often its tokens are refreshed. */
  readonly sessionSeconds: number;
}

/** What an export has of a session: everything but ids, secrets and their hashes. */
export function exportedSession({ device, ip, createdAt, lastUsedAt, expiresAt }: Session): object {
  return { device, ip, createdAt, lastUsedAt, expiresAt };
}
