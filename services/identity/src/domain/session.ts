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
