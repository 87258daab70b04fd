import { passwordResetCode, tradeApplicationReceived, verificationCode } from './codes.ts';
import type { OpenedCode } from './codes.ts';
import { layOut } from './layout.ts';
import type { Content, Rendered, Shop } from './layout.ts';
import { message } from './message.ts';
import type { WrittenMail } from './message.ts';
import { loginThrottled, passwordChanged, registrationAttempted } from './security.ts';
import { tradeApproved, tradeInfoRequested, tradeReinstated, tradeRejected, tradeSuspended } from './trade.ts';
import { accountErased, exportReady } from './user-data.ts';
import { welcome } from './welcome.ts';
import { wishlistAlert } from './wishlist.ts';

/** The mails that need a one-time code to be written. */
const codeMails = {
  'verification-code': verificationCode,
  'trade-application-received': tradeApplicationReceived,
  'password-reset-code': passwordResetCode,
};

const plainMails = {
  welcome,
  'registration-attempted': registrationAttempted,
  'password-changed': passwordChanged,
  'login-throttled': loginThrottled,
  'trade-account-approved': tradeApproved,
  'trade-account-rejected': tradeRejected,
  'trade-account-info-requested': tradeInfoRequested,
  'trade-account-suspended': tradeSuspended,
  'trade-account-reinstated': tradeReinstated,
  'wishlist-alert': wishlistAlert,
  'user-export-ready': exportReady,
  'account-erased': accountErased,
  message: (data: WrittenMail) => message(data),
};

type PlainMails = typeof plainMails;

/** A mail before it is written: which one, and what it is to say. */
export type Mail =
  | { readonly template: keyof typeof codeMails; readonly data: Record<string, never> }
  | {
      [Name in keyof PlainMails]: { readonly template: Name; readonly data: Parameters<PlainMails[Name]>[0] };
    }[keyof PlainMails];

/** The mail can't be written: its code is missing. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/** Writes a mail. `optional` mail is one that its reader may switch off. */
export function renderMail(
  mail: Mail,
  given: { readonly shop: Shop; readonly code: OpenedCode | null; readonly optional: boolean },
): Rendered {
  return layOut(contentOf(mail, given.shop, given.code), given.shop, given.optional);
}

function contentOf(mail: Mail, shop: Shop, code: OpenedCode | null): Content {
  if (isCodeMail(mail)) {
    if (code === null) throw new MailError(`${mail.template} needs its code`);
    return codeMails[mail.template](mail.data, code);
  }
  // Template and data belong together by the type of Mail; the table forgets which pair this is.
  const write = plainMails[mail.template] as (data: typeof mail.data, shop: Shop) => Content;
  return write(mail.data, shop);
}

function isCodeMail(mail: Mail): mail is Extract<Mail, { template: keyof typeof codeMails }> {
  return Object.hasOwn(codeMails, mail.template);
}
