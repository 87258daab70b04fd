import type { RenderedMail } from './layout.ts';

/** A file that is attached to a mail. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A mail that is ready for the mail server. */
export interface OutgoingMail extends RenderedMail {
  readonly to: string;
  /** The `Message-ID` without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly attachments: readonly Attachment[];
  /**
   * The page where the reader can switch such mail off, and whether mail programs can do so with one click (RFC 8058).
   * Null for mail that can't be switched off.
   */
  readonly unsubscribe: { readonly url: string; readonly isOneClick: boolean } | null;
}

/**
 * The result of an attempt to hand a mail over. `deferred`: the server says to try again later (4xx). `unreachable`:
 * the server can't be reached, or refuses to talk. `interrupted`: the connection was lost before the end of the mail
 * was sent. `in_doubt`: the connection was lost after that, so it is unknown whether the server has the mail.
 */
export const handoverOutcomes = ['accepted', 'deferred', 'refused', 'unreachable', 'interrupted', 'in_doubt'] as const;

/** The outcome of an attempt to hand one mail over. */
export interface HandoverResult {
  readonly outcome: (typeof handoverOutcomes)[number];
  /** The server's answer, or the error before an answer came. */
  readonly answer: string;
  readonly milliseconds: number;
  /** Whether the server said that the mailbox does not exist. */
  readonly bounced: boolean;
}

/** Returns the `Message-ID` of a delivery's mail, without angle brackets. It is the same at each attempt. */
export function messageIdOf(deliveryId: string, mailDomain: string): string {
  return `${deliveryId}@${mailDomain}`;
}
