import { billingMails } from './billing-messages.ts';
import { layOut, type MailContent, type OptOut, type RenderedMail, type Shop } from './layout.ts';
import { accountErased, exportReady, welcome, wishlistAlert } from './templates/account.ts';
import {
  emailChangeCode,
  passwordResetCode,
  tradeApplicationReceived,
  verificationCode,
  type PlainCode,
} from './templates/codes.ts';
import { customMail } from './templates/custom-mail.ts';
import { emailChangeAttempted, emailChanged, emailChangeNotice } from './templates/email-change.ts';
import { secondFactorChanged, secondFactorGuessed, secondFactorNotice } from './templates/second-factor.ts';
import {
  staffChanged,
  changesReverted,
  loginThrottled,
  passwordChanged,
  passwordNotice,
  registrationAttempted,
} from './templates/security.ts';
import {
  tradeApproved,
  tradeInfoRequested,
  tradeReinstated,
  tradeSubmitted,
  tradeRejected,
  tradeSuspended,
} from './templates/trade.ts';

/** The templates of mails with a one-time code. */
const codeTemplates = {
  'verification-code': verificationCode,
  'trade-application-received': tradeApplicationReceived,
  'password-reset-code': passwordResetCode,
  'email-change-code': emailChangeCode,
  'email-change-notice': emailChangeNotice,
  'second-factor-notice': secondFactorNotice,
  'password-notice': passwordNotice,
};

const plainTemplates = {
  welcome,
  'registration-attempted': registrationAttempted,
  'password-changed': passwordChanged,
  'login-throttled': loginThrottled,
  'staff-changed': staffChanged,
  'second-factor-changed': secondFactorChanged,
  'second-factor-guessed': secondFactorGuessed,
  'email-change-attempted': emailChangeAttempted,
  'email-changed': emailChanged,
  'changes-reverted': changesReverted,
  'trade-account-submitted': tradeSubmitted,
  'trade-account-approved': tradeApproved,
  'trade-account-rejected': tradeRejected,
  'trade-account-info-requested': tradeInfoRequested,
  'trade-account-suspended': tradeSuspended,
  'trade-account-reinstated': tradeReinstated,
  'wishlist-alert': wishlistAlert,
  ...billingMails,
  'user-export-ready': exportReady,
  'account-erased': accountErased,
  message: customMail,
};

type PlainTemplates = typeof plainTemplates;
type CodeTemplates = typeof codeTemplates;
type CodeTemplate = keyof CodeTemplates;

/** A mail that is not written yet: its template and the template's data. */
export type TemplatedMail =
  | {
      [Name in CodeTemplate]: { readonly template: Name; readonly data: Parameters<CodeTemplates[Name]>[0] };
    }[CodeTemplate]
  | {
      [Name in keyof PlainTemplates]: { readonly template: Name; readonly data: Parameters<PlainTemplates[Name]>[0] };
    }[keyof PlainTemplates]
  /** An announcement has the same text for many people, so its text is stored once, with the announcement. */
  | { readonly template: 'announcement'; readonly data: { readonly announcementId: string } };

/** A mail whose text is made from its template and data alone. */
export type RenderableMail = Exclude<TemplatedMail, { template: 'announcement' }>;

/** Thrown where a mail can't be written because something that it needs is missing. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/**
 * Writes a mail. `optOut` is null for mail that the reader can't switch off. Throws where a mail with a code gets no
 * code.
 */
export function renderMail(
  mail: RenderableMail,
  { shop, code, optOut }: { readonly shop: Shop; readonly code: PlainCode | null; readonly optOut: OptOut | null },
): RenderedMail {
  return layOut(contentOf(mail, shop, code), shop, optOut);
}

function contentOf(mail: RenderableMail, shop: Shop, code: PlainCode | null): MailContent {
  if (isCodeMail(mail)) {
    if (code === null) throw new MailError(`${mail.template} needs its code`);
    const writeCode = codeTemplates[mail.template] as (
      data: typeof mail.data,
      code: PlainCode,
      shop: Shop,
    ) => MailContent;
    return writeCode(mail.data, code, shop);
  }
  // The type `TemplatedMail` ensures that data and template fit. TypeScript can't see this when the function is looked
  // up.
  const write = plainTemplates[mail.template] as (data: typeof mail.data, shop: Shop) => MailContent;
  return write(mail.data, shop);
}

function isCodeMail(mail: RenderableMail): mail is Extract<TemplatedMail, { template: CodeTemplate }> {
  return Object.hasOwn(codeTemplates, mail.template);
}
