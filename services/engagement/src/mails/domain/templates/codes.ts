import type { MailContent } from '../layout.ts';
import { formatTime, paragraph } from './phrases.ts';

/** A one-time code, decrypted while its mail is written. */
export interface PlainCode {
  readonly code: string;
  readonly expiresAt: Date;
}

// Anybody can register with another person's address, so these mails repeat nothing that was typed: no name, no
// business.

export function verificationCode(_data: unknown, { code, expiresAt }: PlainCode): MailContent {
  return {
    subject: `${code} is your code`,
    blocks: [
      paragraph('Hello,'),
      paragraph('This is the code that proves that this email address is yours:'),
      { kind: 'code', code },
      paragraph(`It works once, until ${formatTime(expiresAt)}. A newer code replaces it.`),
      paragraph('Tell it to nobody. If you did not ask for it, ignore this mail: without the code nothing happens.'),
    ],
  };
}

export function tradeApplicationReceived(_data: unknown, { code, expiresAt }: PlainCode): MailContent {
  return {
    subject: `We have received your trade application - ${code} is your code`,
    blocks: [
      paragraph('Hello,'),
      paragraph('we have received your application for a trade account. We look at it and write to you again.'),
      paragraph('Meanwhile, please prove that this email address is yours with this code:'),
      { kind: 'code', code },
      paragraph(`It works once, until ${formatTime(expiresAt)}; you can ask for a new one at any time.`),
      paragraph('If you did not apply, ignore this mail.'),
    ],
  };
}

export function passwordResetCode(_data: unknown, { code, expiresAt }: PlainCode): MailContent {
  return {
    subject: `${code} is your code for a new password`,
    blocks: [
      paragraph('Hello,'),
      paragraph('somebody, hopefully you, asked to set a new password for your account. This is the code for it:'),
      { kind: 'code', code },
      paragraph(`It works once, until ${formatTime(expiresAt)}. A newer code replaces it.`),
      paragraph('If it was not you, ignore this mail and tell the code to nobody: your password stays as it is.'),
    ],
  };
}
