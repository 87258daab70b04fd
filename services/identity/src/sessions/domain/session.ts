/** One device that is logged in. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  /** The user's token version when the session began: a higher one ends it. */
  readonly ver: number;
  /** Hash of the part of the refresh token that never changes: finds the session of an old token too. */
  readonly family: string;
  /** Hash of the part that changes with every use. */
  readonly secret: string;
  readonly device: string | null;
  readonly ip: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** From then on its refresh tokens are refused; the revocation of its access tokens may not be stored yet. */
  readonly endedAt: Date | null;
  /** When it last proved who is calling; missing in sessions of an earlier version. */
  readonly authenticatedAt?: Date | undefined;
  /** When it last proved a second factor; null where it never has. */
  readonly secondFactorAt?: Date | null | undefined;
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
 * Whether the exchange may be answered once more to who sends the same refresh token, with that hash: within 20 s, and to the same
 * kind of device. `at` may be the time of another instance, so a clock that is ahead or behind makes the 20 s longer or shorter by
 * as much; one that is 20 s behind or more gives none.
 */
export function mayAnswerAgain(
  rotation: Rotation | null,
  { secret, device }: { readonly secret: string; readonly device: string | null },
  now: Date,
): rotation is Rotation {
  if (rotation?.from !== secret || kindOf(rotation.device) !== kindOf(device)) return false;
  return Math.abs(now.getTime() - rotation.at.getTime()) < rotationGraceMs;
}

/** A `User-Agent` without its version numbers: it stays the same while a browser updates itself. */
function kindOf(device: string | null): string {
  return device?.replaceAll(/[\d._]+/g, '') ?? '';
}

/** What a session has proved, and when. */
export interface Proof {
  readonly authenticatedAt: Date;
  readonly secondFactorAt: Date | null;
}

/** What a request shows of the device that sent it. */
export interface Device {
  readonly device: string | null;
  readonly ip: string | null;
  /** What an earlier login gave the device, so that it is known again; null where it sends none. */
  readonly deviceToken: string | null;
}

/** How long tokens live. */
export interface TokenLifetimes {
  readonly accessSeconds: number;
  /** Of a refresh token that is not used. */
  readonly refreshSeconds: number;
  /** Of a session, however often its tokens are refreshed. */
  readonly sessionSeconds: number;
}
