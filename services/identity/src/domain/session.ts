/** One device that is logged in. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  /** The user's token version when it began: a higher one ends it. */
  readonly ver: number;
  /** Hash of the part of the refresh token that stays the same: finds the session, also by a token that was rotated. */
  readonly family: string;
  /** Hash of the part that changes with every use. */
  readonly secret: string;
  readonly device: string | null;
  readonly ip: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** It is being ended: no more tokens, though its revocation may not be written yet. */
  readonly endedAt: Date | null;
}

/** What a request tells of the device it comes from. */
export interface Device {
  readonly device: string | null;
  readonly ip: string | null;
}
