/** The link by which a change of who controls an account is undone, for the mail about it. */
export interface WayBack {
  /** The code of the link, encrypted for the mail. */
  readonly sealedLink: string;
  readonly expiresAt: Date;
}

/** The fields of an event that has the link mailed; none where there is no link. */
export function linkOf(wayBack: WayBack | null): { sealedCode?: string; linkExpiresAt?: string } {
  return wayBack ? { sealedCode: wayBack.sealedLink, linkExpiresAt: wayBack.expiresAt.toISOString() } : {};
}
