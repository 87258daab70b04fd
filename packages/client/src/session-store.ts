/** The tokens of somebody who is logged in. */
export interface Tokens {
  readonly accessToken: string;
  /** Not known where it is in a cookie that scripts can't read. */
  readonly refreshToken?: string;
  /** When the access token expires, in milliseconds since 1970 by the clock of the API. */
  readonly expiresAt: number;
}

/** Where a client keeps the tokens. `undefined` is nobody. */
export interface SessionStore {
  read(): Tokens | undefined | Promise<Tokens | undefined>;
  write(tokens: Tokens | undefined): void | Promise<void>;
  /** Runs the work while no other page with the same session runs such work. */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Where the refresh token is in a cookie that scripts can't read: the paths that put it there and that refresh by it.
   */
  readonly cookie?: { readonly keep: string; readonly refresh: string };
}
