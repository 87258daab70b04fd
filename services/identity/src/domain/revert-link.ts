/** The link, in the mail about a change of who controls an account, by which that change is undone. */
export interface RevertLink {
  /** The code of the link, encrypted for the mail. */
  readonly sealedLink: string;
  readonly expiresAt: Date;
}

/** The fields of an event by which the link is mailed; none where there is no link. */
export function revertLinkFields(revertLink: RevertLink | null): { sealedCode?: string; linkExpiresAt?: string } {
  return revertLink ? { sealedCode: revertLink.sealedLink, linkExpiresAt: revertLink.expiresAt.toISOString() } : {};
}
