import type { RenderedMail } from './layout.ts';

/** A file that a mail carries. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A mail as it is handed to the mail server. */
export interface OutgoingMail extends RenderedMail {
  readonly to: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly attachments: readonly Attachment[];
  /**
   * Where its reader can switch such mail off, and whether mail programs may do so by one click (RFC 8058); null for
   * mail that can't be.
   */
  readonly unsubscribe: { readonly url: string; readonly isOneClick: boolean } | null;
}

/**
 * How an attempt to hand a mail over has ended. `deferred`: the server says to try again later (4xx). `unreachable`:
 * the server can't be reached, or refuses to talk. `interrupted`: the conversation about this mail broke off before its
 * end was sent. `in_doubt`: it broke off after that, so it is unknown whether the server has the mail.
 */
export const handoverOutcomes = ['accepted', 'deferred', 'refused', 'unreachable', 'interrupted', 'in_doubt'] as const;

/** The outcome of handing one mail over. */
export interface HandoverResult {
  readonly outcome: (typeof handoverOutcomes)[number];
  /** What the server answered, or what went wrong on the way. */
  readonly answer: string;
  readonly milliseconds: number;
  /** The server said that there is no such mailbox. */
  readonly bounced: boolean;
}

/** The `Message-ID` of a delivery's mail, without angle brackets: the same at each attempt. */
export function messageIdOf(deliveryId: string, mailDomain: string): string {
  return `${deliveryId}@${mailDomain}`;
}
