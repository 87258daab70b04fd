import type { Proof } from '../../domain/caller.ts';

/** One device that is logged in, and its last proofs. */
export interface Session extends Proof {
  readonly id: string;
  readonly userId: string;
  /** The user's token version when the session began. If the user gets a higher version, the session has ended. */
  readonly ver: number;
  /** Hash of the constant part of the refresh token. By this hash, the session of an old token is found, too. */
  readonly family: string;
  /** Hash of the part of the refresh token that changes with every use. */
  readonly secret: string;
  readonly device: string | null;
  readonly ip: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /**
   * When the session was ended. Its refresh tokens are refused from then on. The revocation of its access tokens may
   * not be stored yet.
   */
  readonly endedAt: Date | null;
  /**
   * The last exchange of the session's refresh token. Null before the first exchange, and after it was answered a
   * second time.
   */
  readonly rotation: Rotation | null;
}

/**
 * An exchange of a refresh token that can be answered once more, since a client may have lost the answer or have two
 * tabs.
 */
export interface Rotation {
  /** Hash of the changing part of the token that was exchanged. */
  readonly from: string;
  readonly at: Date;
  /** The `User-Agent` that exchanged the token. */
  readonly device: string | null;
  /** The new pair of tokens, encrypted with a key made of the old refresh token. */
  readonly sealedPair: string;
}

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

/** The lifetimes of tokens and sessions. */
export interface TokenLifetimes {
  readonly accessSeconds: number;
  /** The lifetime of a refresh token that is not used. */
  readonly refreshSeconds: number;
  /** The lifetime of a session, however often its tokens are refreshed. */
  readonly sessionSeconds: number;
}

/** The data about a session in an export: everything except ids, secrets and their hashes. */
export function exportedSession({ device, ip, createdAt, lastUsedAt, expiresAt }: Session): object {
  return { device, ip, createdAt, lastUsedAt, expiresAt };
}
