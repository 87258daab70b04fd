/** The link that undoes a change of who controls an account. It is in the mail about the change. */
export interface RevertLink {
  /** The code of the link, encrypted for the mail. */
  readonly sealedLink: string;
  readonly expiresAt: Date;
}

/** The fields by which an event has the link mailed; empty where there is no link. */
export function revertLinkFields(revertLink: RevertLink | null): { sealedCode?: string; linkExpiresAt?: string } {
  return revertLink ? { sealedCode: revertLink.sealedLink, linkExpiresAt: revertLink.expiresAt.toISOString() } : {};
}
