import type { RenderedMail } from './layout.ts';

/** A mail as it is handed to the mail server. */
export interface OutgoingMail extends RenderedMail {
  readonly to: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  /** Where its reader can switch such mail off; null for mail that can't be. */
  readonly unsubscribeUrl: string | null;
}

/** The outcome of handing one mail over. */
export interface HandoverResult {
  /** `deferred`: try again later (4xx). `unreachable`: the server can't be reached, or said nothing about this mail. */
  readonly outcome: 'accepted' | 'deferred' | 'refused' | 'unreachable';
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
