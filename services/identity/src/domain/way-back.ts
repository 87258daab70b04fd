/** The link, in the mail about a change of who controls an account, by which that change is undone. */
export interface WayBack {
  /** The code of the link, encrypted for the mail. */
  readonly sealedLink: string;
  readonly expiresAt: Date;
}

/** The fields of an event by which the link is mailed; none where there is no link. */
export function linkOf(wayBack: WayBack | null): { sealedCode?: string; linkExpiresAt?: string } {
  return wayBack ? { sealedCode: wayBack.sealedLink, linkExpiresAt: wayBack.expiresAt.toISOString() } : {};
}
